import { Anchor, Badge, Breadcrumbs, Group, Stack, Title } from '@mantine/core'
import { type ReactNode, useEffect, useRef } from 'react'
import { Link } from './links.tsx'

/** The title of the page that was shown last; null before the first one. */
let shownTitle: string | null = null

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
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => {
    document.title = `${title} · Dineback console`
    // A new page begins at its heading, for the keyboard and for screen readers. What is typed is not interrupted.
    const isNew = shownTitle !== null && shownTitle !== title
    shownTitle = title
    if (isNew && !document.activeElement?.matches('input, textarea, select'))
      heading.current?.focus({ preventScroll: true })
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
          <Title ref={heading} order={1} size="h2" tabIndex={-1}>
            {title}
          </Title>
          {state && (
            <Badge color={state.color} size="lg">
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
