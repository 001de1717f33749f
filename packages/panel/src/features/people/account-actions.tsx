/** What can be done to an account beside editing it: block or unblock it, end its sessions. */
import type { MessageId } from '@dala/model'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import Ban from 'lucide-react/icons/ban'
import LogOut from 'lucide-react/icons/log-out'
import { useState } from 'react'
import { ApiError } from '../../api/api-error.ts'
import { call } from '../../api/client.ts'
import { wordsOfError } from '../../api/error-toasts.ts'
import { resourceQueries } from '../../api/resource-queries.ts'
import { useTitleOf } from '../../fields/field-display.tsx'
import type { Translate } from '../../lib/format.ts'
import { useT } from '../../lib/i18n.ts'
import type { OverviewProps } from '../../resource/screen-parts.ts'
import { useMay } from '../../resource/use-may.ts'
import { Button } from '../../ui/button.tsx'
import { ConfirmDialog } from '../../ui/dialog.tsx'
import { showToast } from '../../ui/toast.ts'
import { useReader } from './account.ts'

type Action = 'block' | 'unblock' | 'endSessions'

const words: Readonly<Record<Action, { title: MessageId; text: MessageId; confirm: MessageId; done: MessageId }>> = {
  block: {
    title: 'dialog.blockUser.title',
    text: 'people.block.text',
    confirm: 'action.block',
    done: 'people.blocked.done',
  },
  unblock: {
    title: 'people.unblock.title',
    text: 'people.unblock.text',
    confirm: 'action.unblock',
    done: 'people.unblocked.done',
  },
  endSessions: {
    title: 'people.endSessions.title',
    text: 'people.endSessions.text',
    confirm: 'people.endSessions',
    done: 'people.endSessions.done',
  },
}

function failureOf(error: Error, t: Translate): string {
  return error instanceof ApiError && error.status > 0 ? wordsOfError(error) : t('error.network.message')
}

export function AccountActions({ screen: { resource }, record }: OverviewProps) {
  const t = useT()
  const cache = useQueryClient()
  const may = useMay(resource)
  const titleOf = useTitleOf(resource)
  const { isSelf, isStaff } = useReader(record)
  const [asked, setAsked] = useState<Action | null>(null)
  // The words of the last question stay while its dialog closes.
  const [shown, setShown] = useState<Action>('block')
  const ask = (action: Action) => {
    setShown(action)
    setAsked(action)
  }
  const act = useMutation({
    meta: { inPlace: true },
    mutationFn: async (action: Action): Promise<unknown> =>
      action === 'endSessions'
        ? call('POST', `/users/${record.id}/sign-out`)
        : resourceQueries(resource).update(record.id, { blocked: action === 'block' }),
    onSuccess: (_answer, action) => {
      setAsked(null)
      showToast({ kind: 'success', title: t(words[action].done) })
    },
    onSettled: () => cache.invalidateQueries({ queryKey: ['resource'] }),
  })
  if (!may('update', record) || !(isStaff || isSelf)) return null
  const close = () => {
    act.reset()
    setAsked(null)
  }
  const blocked = record.blocked === true
  const text = words[shown]
  return (
    <>
      {isSelf ? null : (
        <Button icon={<Ban size={16} aria-hidden />} onClick={() => ask(blocked ? 'unblock' : 'block')}>
          {t(blocked ? 'action.unblock' : 'action.block')}
        </Button>
      )}
      <Button icon={<LogOut size={16} aria-hidden />} onClick={() => ask('endSessions')}>
        {t('people.endSessions')}
      </Button>
      <ConfirmDialog
        open={asked !== null}
        onOpenChange={(open) => !open && close()}
        title={t(text.title)}
        description={
          shown === 'endSessions' && isSelf ? t('people.endSessions.own') : t(text.text, { name: titleOf(record) })
        }
        confirmLabel={t(text.confirm)}
        danger={shown === 'block'}
        busy={act.isPending}
        failure={act.error ? failureOf(act.error, t) : undefined}
        onConfirm={() => act.mutate(shown)}
      />
    </>
  )
}
