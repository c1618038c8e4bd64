import { Alert, Badge, Button, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import { useCall } from '../../console-kit/calls.ts'
import { Time } from '../../console-kit/format.tsx'
import { Page } from '../../console-kit/Page.tsx'
import { RelatedTable } from '../../console-kit/Related.tsx'
import { useMay } from '../../console-kit/session.tsx'
import { Loaded } from '../../console-kit/states.tsx'
import { type Flag, type Flags, listFlags } from './contract.ts'
import { type Switch, SwitchDialog } from './SwitchDialog.tsx'
import { flagEffect, flagKinds, flagName } from './words.ts'

const maintenanceTexts: Readonly<Record<Flags['maintenance'], { title: string; text: string; color: string }>> = {
  off: { title: 'The program is open', text: 'Visitors and members see every page.', color: 'green' },
  on: {
    title: 'The program is closed for maintenance',
    text: 'Its pages say so; nobody signs in or joins. Messages of the card network are received as always.',
    color: 'red',
  },
  partly: {
    title: 'The program is partly closed',
    text: 'Some of the site, sign-in and joining are closed: see Access below.',
    color: 'orange',
  },
}

/** What is switched on in the program, since when, and by whom. */
export default function FlagsPage() {
  const query = useCall(listFlags, {})
  const mayEdit = useMay()('program.edit')
  const [asked, setAsked] = useState<Switch | null>(null)
  return (
    <Page title="Flags and maintenance">
      <Loaded query={query}>
        {({ maintenance, flags }) => (
          <Stack>
            <Maintenance state={maintenance} {...(mayEdit && { onSwitch: setAsked })} />
            {flagKinds.map(({ kind, title }) => (
              <FlagTable
                key={kind}
                title={title}
                flags={flags.filter((flag) => flag.kind === kind)}
                {...(mayEdit && { onSwitch: setAsked })}
              />
            ))}
          </Stack>
        )}
      </Loaded>
      <SwitchDialog asked={asked} onClose={() => setAsked(null)} />
    </Page>
  )
}

interface Switching {
  /** Absent for who may only look. */
  onSwitch?: (asked: Switch) => void
}

function Maintenance({ state, onSwitch }: { state: Flags['maintenance'] } & Switching) {
  const { title, text, color } = maintenanceTexts[state]
  const ask = (isOn: boolean) => onSwitch?.({ kind: 'maintenance', isOn, was: state })
  return (
    <Alert color={color} title={title}>
      <Stack align="flex-start" gap="xs">
        {text}
        {onSwitch && state !== 'on' && (
          <Button size="xs" color="red" onClick={() => ask(true)}>
            Close for maintenance
          </Button>
        )}
        {onSwitch && state !== 'off' && (
          <Button size="xs" onClick={() => ask(false)}>
            Open the program
          </Button>
        )}
      </Stack>
    </Alert>
  )
}

function FlagTable({ title, flags, onSwitch }: { title: string; flags: readonly Flag[] } & Switching) {
  return (
    <RelatedTable
      title={title}
      items={flags}
      keyOf={({ name }) => name}
      empty="None."
      columns={[
        {
          header: 'Flag',
          cell: (flag) => (
            <>
              <Text size="sm">{flagName(flag)}</Text>
              <Text size="sm" c="dimmed">
                {flagEffect(flag)}
              </Text>
            </>
          ),
        },
        {
          header: 'State',
          cell: ({ isOn }) => <Badge color={isOn ? 'green' : 'gray'}>{isOn ? 'On' : 'Off'}</Badge>,
        },
        {
          header: 'Since',
          cell: ({ set }) => (set ? <Time at={set.at} /> : 'Never switched'),
        },
        { header: 'By', cell: ({ set }) => set && (set.by ?? 'Command line') },
        ...(onSwitch
          ? [
              {
                header: 'Switch',
                cell: (flag: Flag) => (
                  <Button
                    size="compact-sm"
                    variant="default"
                    aria-label={`Switch ${flag.isOn ? 'off' : 'on'}: ${flagName(flag)}`}
                    onClick={() => onSwitch({ kind: 'flag', flag })}
                  >
                    Switch {flag.isOn ? 'off' : 'on'}
                  </Button>
                ),
              },
            ]
          : []),
      ]}
    />
  )
}
