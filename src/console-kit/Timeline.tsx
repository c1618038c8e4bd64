import { Timeline as MantineTimeline, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { Time } from './format.tsx'

export interface TimelineEvent {
  key: string
  at: string
  title: string
  /** Who did it; absent for what happened by itself. */
  by?: string | undefined
  detail?: ReactNode
  color?: string
}

/** What happened, the latest first: events, notes, mails and acts of operators in one line. */
export function Timeline({ events }: { events: readonly TimelineEvent[] }) {
  const sorted = events.toSorted((a, b) => (a.at < b.at ? 1 : -1))
  return (
    <MantineTimeline active={sorted.length} bulletSize={14} lineWidth={2}>
      {sorted.map(({ key, at, title, by, detail, color }) => (
        <MantineTimeline.Item key={key} title={title} {...(color && { color })}>
          <Text size="sm" c="dimmed">
            <Time at={at} />
            {by && ` · ${by}`}
          </Text>
          {detail && (
            <Text component="div" size="sm" mt={4} style={{ overflowWrap: 'anywhere' }}>
              {detail}
            </Text>
          )}
        </MantineTimeline.Item>
      ))}
    </MantineTimeline>
  )
}
