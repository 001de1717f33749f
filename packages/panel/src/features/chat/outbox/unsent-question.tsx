/** Asks before signing out while messages are unsent: send them first, or delete them from this browser. */
import { useEffect, useRef, useState } from 'react'
import { useT } from '../../../lib/i18n.ts'
import { beforeSignOut } from '../../../lib/session-end.ts'
import { Button } from '../../../ui/button.tsx'
import { Dialog } from '../../../ui/overlays/dialog.tsx'
import { FieldError } from '../../../ui/inputs/field.tsx'
import { remove, retry, unsent } from '../core/queue.ts'
import { changeQueue, readQueue, subscribeToQueue, useUnsentCount } from './outbox.ts'
import { sendNow } from './sender.ts'

const ids = () => new Set(unsent(readQueue()).map(({ clientId }) => clientId))

export function UnsentQuestion() {
  const t = useT()
  const count = useUnsentCount()
  const cancel = useRef<HTMLButtonElement>(null)
  const stop = useRef<() => void>(undefined)
  const [leave, setLeave] = useState<() => void>()
  const [state, setState] = useState<'asks' | 'sends' | 'failed'>('asks')

  useEffect(
    () =>
      beforeSignOut((go) => {
        if (ids().size === 0) return false
        setState('asks')
        setLeave(() => go)
        return true
      }),
    [],
  )
  useEffect(() => () => stop.current?.(), [])
  /** A user who chooses to stay signed in stays so after the last message was sent. */
  const stay = () => {
    stop.current?.()
    setLeave(undefined)
  }
  const go = () => {
    stay()
    leave?.()
  }
  const throwAway = () => void changeQueue((queue) => remove(queue, ids())).then(go)
  const send = () => {
    setState('sends')
    stop.current = subscribeToQueue(() => {
      const left = unsent(readQueue())
      const isStuck = left.some(({ state: one, tries }) => one === 'failed' || tries > 0)
      if (left.length > 0 && !isStuck) return
      stop.current?.()
      if (isStuck) setState('failed')
      else go()
    })
    // Includes failed and unconfirmed messages.
    void changeQueue((queue) => [...ids()].reduce(retry, queue))
    sendNow()
  }
  return (
    <Dialog
      open={leave !== undefined}
      onOpenChange={(open) => open || stay()}
      title={t('chat.unsentTitle')}
      description={t('chat.unsentText', { count })}
      initialFocus={cancel}
      actions={
        <>
          <Button ref={cancel} onClick={stay}>
            {t('action.cancel')}
          </Button>
          <Button kind="danger" onClick={throwAway}>
            {t('chat.unsentDrop')}
          </Button>
          <Button kind="primary" busy={state === 'sends'} onClick={send}>
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
