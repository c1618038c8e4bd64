import { Anchor, Badge, Breadcrumbs, Group, Stack, Title } from '@mantine/core'
import { type ReactNode, useEffect } from 'react'
import { Link } from './links.tsx'

interface PageProps {
  title: string
  /** The state of what the page is about, beside the title. */
  state?: { label: string; color: string } | undefined
  /** The pages above this one, outermost first. */
  trail?: readonly { label: string; to: string }[]
  /** The two or three actions that make sense now. */
  actions?: ReactNode
  children: ReactNode
}

/** The frame of every page: heading, state, actions. It names the document. */
export function Page({ title, state, trail = [], actions, children }: PageProps) {
  useEffect(() => {
    document.title = `${title} · Dineback console`
  }, [title])
  return (
    <Stack gap="md">
      {trail.length > 0 && (
        <Breadcrumbs>
          {trail.map(({ label, to }) => (
            <Anchor key={to} size="sm" component={Link} to={to}>
              {label}
            </Anchor>
          ))}
        </Breadcrumbs>
      )}
      <Group justify="space-between" gap="sm">
        <Group gap="sm">
          <Title order={1} size="h2" tabIndex={-1} id="page-title">
            {title}
          </Title>
          {state && (
            <Badge color={state.color} variant="light" size="lg">
              {state.label}
            </Badge>
          )}
        </Group>
        <Group gap="xs">{actions}</Group>
      </Group>
      {children}
    </Stack>
  )
}
