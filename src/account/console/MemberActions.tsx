import { Button, Menu } from '@mantine/core'
import { ChevronDown } from 'lucide-react'
import { useState } from 'react'
import { useAct } from '../../console-kit/calls.ts'
import type { Permission } from '../../console-kit/permissions.ts'
import { useMay, useProgram } from '../../console-kit/session.tsx'
import { toastDone, toastFailed } from '../../console-kit/toast.tsx'
import { callUrl } from '../../platform/call.ts'
import { CloseDialog, LookDialog, ReopenDialog } from './account-dialogs.tsx'
import { exportMemberData, type MemberDetail, unlockMember } from './contract.ts'
import { MergeDialog } from './merge/MergeDialog.tsx'
import { AdjustDialog, BonusDialog } from './money-dialogs.tsx'
import { CorrectDialog, EmailDialog, TagsDialog } from './profile-dialogs.tsx'
import { EndTierDialog, TierDialog } from './tiers/tier-dialogs.tsx'

type DialogName =
  | 'adjust'
  | 'look'
  | 'correct'
  | 'email'
  | 'tags'
  | 'bonus'
  | 'tier'
  | 'endTier'
  | 'merge'
  | 'close'
  | 'reopen'

/** What an operator can do with a member now, by the operator's permissions and the account's state. */
export function MemberActions({ member }: { member: MemberDetail }) {
  const permitted = useMay()
  const program = useProgram()
  const [open, setOpen] = useState<DialogName | null>(null)
  const unlock = useAct(unlockMember)
  const close = () => setOpen(null)
  const isClosed = member.memberType === 'ClosedAccountMember'
  // Of a merged account only what it had is shown: what is to be done is done in the other one.
  const may = (permission: Permission) => permitted(permission) && (!member.isMerged || permission === 'members.export')
  const items = [
    may('members.edit') && { label: 'Correct name or address', onClick: () => setOpen('correct') },
    may('members.edit') && member.emailEditable && { label: 'Change email address', onClick: () => setOpen('email') },
    may('notes.write') && { label: 'Tags', onClick: () => setOpen('tags') },
    may('ledger.adjust') && { label: 'Grant a bonus', onClick: () => setOpen('bonus') },
    may('members.edit') &&
      !isClosed &&
      member.tiersToGive.length > 0 && { label: 'Give a tier until a day', onClick: () => setOpen('tier') },
    may('members.edit') && member.givenTier && { label: 'End the given tier', onClick: () => setOpen('endTier') },
    may('members.edit') &&
      member.isLocked && {
        label: 'Unlock sign-in',
        onClick: () =>
          unlock.mutate(
            { params: { id: member.id } },
            { onSuccess: () => toastDone('The member can sign in again.'), onError: toastFailed },
          ),
      },
    may('members.export') && {
      label: 'Export the data',
      onClick: () => location.assign(callUrl(exportMemberData, { params: { program: program.code, id: member.id } })),
    },
    may('members.close') && !isClosed && { label: 'Merge into another account', onClick: () => setOpen('merge') },
    may('members.close') && !isClosed && { label: 'Close the account', onClick: () => setOpen('close'), color: 'red' },
    may('members.close') && isClosed && { label: 'Reopen the account', onClick: () => setOpen('reopen') },
  ].filter((item) => item !== false && item !== null)
  return (
    <>
      {may('members.impersonate') && (
        <Button variant="default" onClick={() => setOpen('look')}>
          View as member
        </Button>
      )}
      {may('ledger.adjust') && <Button onClick={() => setOpen('adjust')}>Credit or debit</Button>}
      {items.length > 0 && (
        <Menu position="bottom-end">
          <Menu.Target>
            <Button variant="default" rightSection={<ChevronDown size={16} />}>
              More
            </Button>
          </Menu.Target>
          <Menu.Dropdown>
            {items.map(({ label, ...item }) => (
              <Menu.Item key={label} {...item}>
                {label}
              </Menu.Item>
            ))}
          </Menu.Dropdown>
        </Menu>
      )}
      {open === 'adjust' && <AdjustDialog member={member} onClose={close} />}
      {open === 'look' && <LookDialog member={member} onClose={close} />}
      {open === 'correct' && <CorrectDialog member={member} onClose={close} />}
      {open === 'email' && <EmailDialog member={member} onClose={close} />}
      {open === 'tags' && <TagsDialog member={member} onClose={close} />}
      {open === 'bonus' && <BonusDialog member={member} onClose={close} />}
      {open === 'tier' && <TierDialog member={member} onClose={close} />}
      {open === 'endTier' && <EndTierDialog member={member} onClose={close} />}
      {open === 'merge' && <MergeDialog member={member} onClose={close} />}
      {open === 'close' && <CloseDialog member={member} onClose={close} />}
      {open === 'reopen' && <ReopenDialog member={member} onClose={close} />}
    </>
  )
}
