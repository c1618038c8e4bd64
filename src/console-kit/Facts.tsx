import { Card, Group, Stack, Text } from '@mantine/core'
import type { ReactNode } from 'react'

/** Facts about something: names and values. A fact without a value is left out. */
export function Facts({ title, facts }: { title?: string; facts: readonly (readonly [string, ReactNode])[] }) {
  return (
    <Card withBorder padding="md">
      {title && (
        <Text fw={600} mb="xs">
          {title}
        </Text>
      )}
      <Stack component="dl" gap={6} m={0}>
        {facts
          .filter(([, value]) => value !== null && value !== undefined && value !== false && value !== '')
          .map(([name, value]) => (
            <Group key={name} justify="space-between" align="baseline" gap="md" wrap="nowrap">
              <Text component="dt" size="sm" c="dimmed">
                {name}
              </Text>
              <Text component="dd" size="sm" m={0} ta="right" style={{ overflowWrap: 'anywhere' }}>
                {value}
              </Text>
            </Group>
          ))}
      </Stack>
    </Card>
  )
}
