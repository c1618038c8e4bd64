import { Alert, Button, Center, Skeleton, Stack, Text, Title } from '@mantine/core'
import type { ReactNode } from 'react'
import { isMissing, messageOf } from './api.ts'

/** A failed load, with what to do. */
export function LoadFailed({ error, onRetry }: { error: unknown; onRetry: () => void }) {
  return (
    <Alert color="red" title="This could not be loaded" role="alert">
      <Stack align="flex-start" gap="xs">
        {messageOf(error)}
        <Button size="xs" variant="light" color="red" onClick={onRetry}>
          Try again
        </Button>
      </Stack>
    </Alert>
  )
}

/** A list without entries, with what to do. */
export function Empty({ title, children }: { title: string; children?: ReactNode }) {
  return (
    <Center py={48}>
      <Stack align="center" gap={4}>
        <Title order={2} size="h4">
          {title}
        </Title>
        {children && (
          <Text component="div" c="dimmed">
            {children}
          </Text>
        )}
      </Stack>
    </Center>
  )
}

/** Lines of the shape of what is loading. */
export function Loading({ rows = 8 }: { rows?: number }) {
  return (
    <Stack gap="sm" aria-hidden>
      {Array.from({ length: rows }, (_, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: all alike
        <Skeleton key={at} height={28} />
      ))}
    </Stack>
  )
}

/** What a query of one result shows: its skeleton, its failure, or the result. */
export function Loaded<T>({
  query,
  children,
}: {
  query: { data: T | undefined; error: unknown; refetch: () => unknown }
  children: (data: T) => ReactNode
}) {
  if (query.data !== undefined) return children(query.data)
  if (isMissing(query.error)) return <Empty title="There is no such entry">Or you may not see it.</Empty>
  if (query.error) return <LoadFailed error={query.error} onRetry={() => void query.refetch()} />
  return <Loading />
}
