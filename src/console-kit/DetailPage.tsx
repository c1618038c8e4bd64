import { Grid, Stack } from '@mantine/core'
import type { ReactNode } from 'react'
import { Page } from './Page.tsx'

type DetailProps = Omit<Parameters<typeof Page>[0], 'children'> & {
  /** Facts on the right; on a phone above the rest. */
  facts: ReactNode
  /** The timeline and related lists. */
  children: ReactNode
}

/** The page of one thing: its state, what can be done now, its history, and facts beside it. */
export function DetailPage({ facts, children, ...page }: DetailProps) {
  return (
    <Page {...page}>
      <Grid>
        <Grid.Col span={{ base: 12, md: 4 }} order={{ base: 1, md: 2 }}>
          <Stack>{facts}</Stack>
        </Grid.Col>
        <Grid.Col span={{ base: 12, md: 8 }} order={{ base: 2, md: 1 }}>
          <Stack>{children}</Stack>
        </Grid.Col>
      </Grid>
    </Page>
  )
}
