/** Asks before signing out while messages are unsent: send them first, or delete them from this browser. */
import { useEffect, useRef, useState } from 'react'
import { useT } from '../../../lib/i18n.ts'
import { blockSignOut } from '../../../lib/session-end.ts'
import { Button } from '../../../ui/button.tsx'
import { Dialog } from '../../../ui/overlays/dialog.tsx'
import { FieldError } from '../../../ui/inputs/field.tsx'
import { remove, retry, unsentMessagesOf } from '../core/queue.ts'
import { changeQueue, readQueue, subscribeToQueue, useUnsentCount } from './outbox.ts'
import { sendOutbox } from './sender.ts'

const ids = () => new Set(unsentMessagesOf(readQueue()).map(({ clientId }) => clientId))

export function UnsentQuestion() {
  const t = useT()
  const count = useUnsentCount()
  const cancelButton = useRef<HTMLButtonElement>(null)
  const cancelSending = useRef<() => void>(undefined)
  const [continueSignOut, setContinueSignOut] = useState<() => void>()
  const [state, setState] = useState<'asks' | 'sends' | 'failed'>('asks')

  useEffect(
    () =>
      blockSignOut((signOut) => {
        if (ids().size === 0) return false
        setState('asks')
        setContinueSignOut(() => signOut)
        return true
      }),
    [],
  )
  useEffect(() => () => cancelSending.current?.(), [])
  /** A user who has chosen to stay signed in is not signed out after the last message was sent. */
  const cancelSignOut = () => {
    cancelSending.current?.()
    setContinueSignOut(undefined)
  }
  const signOut = () => {
    cancelSignOut()
    continueSignOut?.()
  }
  const discardAllMessages = () => void changeQueue((queue) => remove(queue, ids())).then(signOut)
  const send = () => {
    setState('sends')
    cancelSending.current = subscribeToQueue(() => {
      const unsentMessages = unsentMessagesOf(readQueue())
      const isStuck = unsentMessages.some(({ state: messageState, tries }) => messageState === 'failed' || tries > 0)
      if (unsentMessages.length > 0 && !isStuck) return
      cancelSending.current?.()
      if (isStuck) setState('failed')
      else signOut()
    })
    // The question counts failed and unconfirmed messages too, so all of them are sent again.
    void changeQueue((queue) => [...ids()].reduce(retry, queue))
    sendOutbox()
  }
  return (
    <Dialog
      open={continueSignOut !== undefined}
      onOpenChange={(isOpen) => isOpen || cancelSignOut()}
      title={t('chat.unsentTitle')}
      description={t('chat.unsentText', { count })}
      initialFocus={cancelButton}
      actions={
        <>
          <Button ref={cancelButton} onClick={cancelSignOut}>
            {t('action.cancel')}
          </Button>
          <Button kind="danger" onClick={discardAllMessages}>
            {t('chat.unsentDrop')}
          </Button>
          <Button kind="primary" isBusy={state === 'sends'} onClick={send}>
            {t('chat.unsentSend')}
          </Button>
        </>
      }
    >
      {state === 'failed' ? (
        <div role="alert">
          <FieldError>{t('chat.unsentFailed')}</FieldError>
        </div>
      ) : null}
    </Dialog>
  )
}
