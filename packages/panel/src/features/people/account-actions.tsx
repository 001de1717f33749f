/** Actions on an account beside editing: access, sign-in and sessions. */
import { type Entry, type MessageId, resources } from '@dala/model'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import Ban from 'lucide-react/icons/ban'
import ChevronDown from 'lucide-react/icons/chevron-down'
import KeyRound from 'lucide-react/icons/key-round'
import LockOpen from 'lucide-react/icons/lock-open'
import MailCheck from 'lucide-react/icons/mail-check'
import MonitorSmartphone from 'lucide-react/icons/monitor-smartphone'
import ShieldCheck from 'lucide-react/icons/shield-check'
import ShieldOff from 'lucide-react/icons/shield-off'
import { useState } from 'react'
import { callRoute } from '../../api/route.ts'
import { useObstacle } from '../../api/use-obstacle.ts'
import { messageOfFailure } from '../../api/error-toasts.ts'
import { useTitleOf } from '../../fields/field-display.tsx'
import { useT } from '../../lib/i18n.ts'
import type { OverviewProps } from '../../resource/screen-parts.ts'
import { useMay } from '../../resource/use-may.ts'
import { Button, buttonClass } from '../../ui/button.tsx'
import { ConfirmDialog } from '../../ui/overlays/dialog.tsx'
import { Menu } from '../../ui/overlays/menu.tsx'
import { showToast } from '../../ui/feedback/toast.ts'
import { AccessDialog } from './access-dialog.tsx'
import { isInvited, textOf, useReader } from './account.ts'
import { SessionsDialog } from './sessions-dialog.tsx'

type AccountAction = 'invite' | 'letter' | 'twoStep' | 'endSessions'

interface ActionLabels {
  title: MessageId
  text: MessageId
  confirm: MessageId
  done: MessageId
}

const actionLabels: Readonly<Record<AccountAction, ActionLabels>> = {
  invite: {
    title: 'account.invite.againTitle',
    text: 'account.invite.againText',
    confirm: 'account.invite.again',
    done: 'account.invite.sent',
  },
  letter: {
    title: 'account.letter.title',
    text: 'account.letter.text',
    confirm: 'account.letter.send',
    done: 'account.letter.sent',
  },
  twoStep: {
    title: 'account.twoStep.resetTitle',
    text: 'account.twoStep.resetText',
    confirm: 'account.twoStep.turnOff',
    done: 'account.twoStep.turnedOff',
  },
  endSessions: {
    title: 'people.endSessions.title',
    text: 'people.endSessions.text',
    confirm: 'account.sessions.endAll',
    done: 'people.endSessions.done',
  },
}

const calls: Readonly<Record<AccountAction, (id: number) => Promise<unknown>>> = {
  invite: (id) => callRoute('POST /api/users/:id/invite', { params: { id } }),
  letter: (id) => callRoute('POST /api/users/:id/reset-password', { params: { id } }),
  twoStep: (id) => callRoute('DELETE /api/users/:id/two-step', { params: { id } }),
  endSessions: (id) => callRoute('POST /api/users/:id/sign-out', { params: { id } }),
}

export function AccountActions({ screen: { resource }, record }: OverviewProps) {
  const t = useT()
  const may = useMay(resource)
  const { isSelf, isStaff } = useReader(record)
  if (isSelf) {
    return (
      <Link to="/app/profile/security" className={buttonClass('plain')}>
        <ShieldCheck size={16} aria-hidden />
        {t('nav.security')}
      </Link>
    )
  }
  return may('update', record) && isStaff ? <OthersActions record={record} /> : null
}

function OthersActions({ record }: { record: Entry }) {
  const t = useT()
  const [openDialog, setOpenDialog] = useState<AccountAction | 'access' | 'sessions' | null>(null)
  const closeDialog = () => setOpenDialog(null)
  const isBlocked = record.blocked === true
  // The closing dialog stays the one for blocking or for unblocking, although the account's state has
  // changed.
  const [kind, setKind] = useState<'block' | 'unblock'>('block')
  // A reason against an action on the account is shown before the user types anything.
  const obstacle = useObstacle()
  return (
    <>
      {isInvited(record) && !isBlocked ? (
        <Button icon={<MailCheck size={16} aria-hidden />} disabled={obstacle} onClick={() => setOpenDialog('invite')}>
          {t('account.invite.again')}
        </Button>
      ) : null}
      <Button
        icon={isBlocked ? <LockOpen size={16} aria-hidden /> : <Ban size={16} aria-hidden />}
        disabled={obstacle}
        onClick={() => {
          setKind(isBlocked ? 'unblock' : 'block')
          setOpenDialog('access')
        }}
      >
        {t(isBlocked ? 'action.unblock' : 'action.block')}
      </Button>
      <Menu
        trigger={
          <Button>
            <span className="inline-flex items-center gap-2">
              {t('account.access')}
              <ChevronDown size={15} aria-hidden />
            </span>
          </Button>
        }
      >
        {({ Item }) => (
          <>
            <Item icon={<MonitorSmartphone size={16} aria-hidden />} onClick={() => setOpenDialog('sessions')}>
              {t('account.sessions')}
            </Item>
            <Item icon={<KeyRound size={16} aria-hidden />} onClick={() => setOpenDialog('letter')}>
              {t('account.letter.open')}
            </Item>
            <Item icon={<ShieldOff size={16} aria-hidden />} onClick={() => setOpenDialog('twoStep')}>
              {t('account.twoStep.reset')}
            </Item>
          </>
        )}
      </Menu>
      <AccessDialog kind={kind} record={record} open={openDialog === 'access'} onClose={closeDialog} />
      <SessionsDialog
        record={record}
        open={openDialog === 'sessions'}
        onClose={closeDialog}
        onEndAll={() => setOpenDialog('endSessions')}
      />
      <AccountActionDialog
        record={record}
        openAction={openDialog === 'access' || openDialog === 'sessions' ? null : openDialog}
        onClose={closeDialog}
      />
    </>
  )
}

/** Confirmation of a small action on an account, such as sending an e-mail. */
function AccountActionDialog({
  record,
  openAction,
  onClose,
}: {
  record: Entry
  openAction: AccountAction | null
  onClose: () => void
}) {
  const t = useT()
  const cache = useQueryClient()
  const titleOf = useTitleOf(resources.users)
  // The text of the last confirmation stays while its dialog closes.
  const [shownAction, setShownAction] = useState<AccountAction>('letter')
  if (openAction && openAction !== shownAction) setShownAction(openAction)
  const messageParams = { name: titleOf(record), email: textOf(record.email) }
  const runAction = useMutation({
    meta: {
      inPlace: true,
      missed: t('message.notDone', { what: `${t(actionLabels[shownAction].confirm)}, ${messageParams.name}` }),
    },
    mutationFn: (action: AccountAction) => calls[action](record.id),
    onSuccess: (_answer, action) => showToast({ kind: 'success', title: t(actionLabels[action].done, messageParams) }),
    onSettled: () => cache.invalidateQueries({ queryKey: ['resource', 'users'] }),
  })
  const text = actionLabels[shownAction]
  return (
    <ConfirmDialog
      open={openAction !== null}
      onOpenChange={(isOpen) => {
        if (isOpen) return
        runAction.reset()
        onClose()
      }}
      title={t(text.title)}
      description={t(text.text, messageParams)}
      confirmLabel={t(text.confirm)}
      isDangerous={shownAction === 'twoStep' || shownAction === 'endSessions'}
      isBusy={runAction.isPending}
      failure={runAction.error ? messageOfFailure(runAction.error) : undefined}
      // The user may have closed the dialog of the action before the answer: the answer must not close
      // another dialog.
      onConfirm={() => runAction.mutate(shownAction, { onSuccess: onClose })}
    />
  )
}
