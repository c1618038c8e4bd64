import { Stack, Text } from '@mantine/core'
import { ActionDialog } from '../../console-kit/ActionDialog.tsx'
import { useAct } from '../../console-kit/calls.ts'
import { useProgram } from '../../console-kit/session.tsx'
import { toastDone } from '../../console-kit/toast.tsx'
import { type Flag, type Flags, setFlag, setMaintenance } from './contract.ts'
import { flagEffect, flagName } from './words.ts'

/** What the operator wants to switch. */
export type Switch = { kind: 'flag'; flag: Flag } | { kind: 'maintenance'; isOn: boolean; was: Flags['maintenance'] }

/** Switches a flag or the maintenance, with a reason, after its effect was said. */
export function SwitchDialog({ asked, onClose }: { asked: Switch | null; onClose: () => void }) {
  const { name } = useProgram()
  const flagAct = useAct(setFlag)
  const maintenanceAct = useAct(setMaintenance)
  const words = asked && wordsOf(asked, name)
  return (
    <ActionDialog
      title={words?.title ?? ''}
      isOpen={asked !== null}
      onClose={onClose}
      confirmLabel={words?.confirm ?? ''}
      isDangerous={asked?.kind === 'maintenance' && asked.isOn}
      asksReason
      onConfirm={async (reason) => {
        if (!asked) return
        if (asked.kind === 'maintenance') {
          await maintenanceAct.mutateAsync({ body: { isOn: asked.isOn, was: asked.was, reason } })
          return toastDone(asked.isOn ? 'The program is closed.' : 'The program is open.')
        }
        const { kind, name: flag, isOn } = asked.flag
        await flagAct.mutateAsync({ params: { kind, name: flag }, body: { isOn: !isOn, was: isOn, reason } })
        toastDone(`${flagName(asked.flag)} is ${isOn ? 'off' : 'on'}.`)
      }}
    >
      <Stack gap="xs">
        {words?.lines.map((line) => (
          <Text key={line} size="sm">
            {line}
          </Text>
        ))}
      </Stack>
    </ActionDialog>
  )
}

function wordsOf(asked: Switch, program: string): { title: string; confirm: string; lines: string[] } {
  if (asked.kind === 'maintenance') {
    return asked.isOn
      ? {
          title: 'Close for maintenance',
          confirm: 'Close the program',
          lines: [
            `${program} is closed within a second: every page says so, and nobody signs in or joins.`,
            'Messages of the card network are received, and jobs run, as always.',
          ],
        }
      : {
          title: 'Open the program',
          confirm: 'Open the program',
          lines: [`${program} is open within a second: every page, sign-in and joining.`],
        }
  }
  const { flag } = asked
  const name = flagName(flag)
  const effect = flagEffect(flag)
  return {
    title: `Switch ${flag.isOn ? 'off' : 'on'}: ${name}`,
    confirm: flag.isOn ? 'Switch off' : 'Switch on',
    lines: [
      ...(effect === '' ? [] : [flag.isOn ? `This will no longer be so: ${effect}` : effect]),
      `It takes effect for all visitors and members of ${program} within a second, and overrides the program’s files.`,
    ],
  }
}
