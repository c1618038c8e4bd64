import { Button, Code, Group, Text } from '@mantine/core'
import { useLocation } from '@tanstack/react-router'
import { Download } from 'lucide-react'
import type { ReactNode } from 'react'
import { Facts } from '../../console-kit/Facts.tsx'
import { Link, useAddress } from '../../console-kit/links.tsx'
import { Page } from '../../console-kit/Page.tsx'

const reports = [
  { path: 'reports', label: 'Members and dines' },
  { path: 'reports/money', label: 'Money' },
  { path: 'reports/funnel', label: 'From visit to fifth dine' },
  { path: 'reports/retention', label: 'Retention' },
  { path: 'reports/origins', label: 'Restaurants and bonuses' },
] as const

interface ReportFrameProps {
  title: string
  /** Address of the same rows as a CSV file. */
  csv: string
  children: ReactNode
}

/** The frame of every report: the way to the others, and its file. */
export function ReportFrame({ title, csv, children }: ReportFrameProps) {
  return (
    <Page
      title={title}
      actions={
        <Button component="a" variant="default" leftSection={<Download size={16} />} href={csv} download>
          CSV
        </Button>
      }
    >
      <ReportNavigation />
      {children}
    </Page>
  )
}

/** The way from one report to the others. */
export function ReportNavigation() {
  const address = useAddress()
  const { pathname } = useLocation()
  return (
    <Group component="nav" aria-label="Reports" gap={4}>
      {reports.map(({ path, label }) => {
        const isCurrent = pathname === address(path)
        return (
          <Button
            key={path}
            component={Link}
            to={address(path)}
            size="xs"
            variant={isCurrent ? 'light' : 'subtle'}
            {...(isCurrent && { 'aria-current': 'page' as const })}
          >
            {label}
          </Button>
        )
      })}
    </Group>
  )
}

/** What the figures of a report count, and where else they can be read. */
export function Definitions({ facts, view }: { facts: readonly (readonly [string, string])[]; view: string }) {
  return (
    <section aria-label="What the figures count">
      <Facts title="What the figures count" facts={facts} />
      <Text size="sm" c="dimmed" mt="xs">
        Nothing here is about fewer than ten people: what only a few did is counted with the next day that brings them
        to ten. Days are those of the program, and a finished one never changes: what becomes known later counts on that
        later day. The same figures are in the database view <Code>{view}</Code>.
      </Text>
    </section>
  )
}
