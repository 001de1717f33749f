/** The reason why a save failed, beside the save button, with the next action. */
import type { Screen } from '@dala/model'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { messageOfError } from '../../../api/error-toasts.ts'
import { useT } from '../../../lib/i18n.ts'
import { Button, buttonClass } from '../../../ui/button.tsx'
import type { SaveFailure } from './failure.ts'
import { FormNotice } from '../notices.tsx'
import { listAddress } from '../../screen-address.ts'
import type { ResourceForm } from '../use-resource-form.ts'

interface SaveFailureNoticeProps {
  screen: Screen
  form: ResourceForm
  failure: SaveFailure
  /** Seconds until the server may be asked to save again. */
  wait: number
  onSaveAsNew: () => void
}

export function SaveFailureNotice({ screen, form, failure, wait, onSaveAsNew }: SaveFailureNoticeProps) {
  const t = useT()
  const lockedReason = form.isUploading && t('chat.uploading')
  const retry = (
    <Button isBusy={form.save.isPending} disabled={lockedReason} onClick={form.retry}>
      {t('action.retry')}
    </Button>
  )
  const backLink = screen.resource.single ? null : (
    <Link {...listAddress(screen)} className={buttonClass('plain')}>
      {t('form.backToList')}
    </Link>
  )
  const renderNotice = (text: ReactNode, actions: ReactNode = null) => (
    <div className="mb-3">
      <FormNotice tone="danger" action={actions}>
        {text}
      </FormNotice>
    </div>
  )
  switch (failure.kind) {
    case 'stale':
      return renderNotice(
        t('form.conflict'),
        form.conflicts.waiting > 0 ? <Button onClick={form.conflicts.ask}>{t('conflict.compare')}</Button> : retry,
      )
    case 'gone':
      if (!failure.isWhole) return renderNotice(t('form.goneLanguage'), retry)
      return renderNotice(
        t('form.gone'),
        <>
          {form.rights.mayCreate ? (
            <Button isBusy={form.save.isPending} disabled={lockedReason} onClick={onSaveAsNew}>
              {t('form.saveAsNew')}
            </Button>
          ) : null}
          {backLink}
        </>,
      )
    case 'denied':
      return renderNotice(`${messageOfError(failure.error)} ${t('form.denied')}`, backLink)
    case 'busy':
      return renderNotice(
        <>
          {t('error.429.title')}. {/* The notice is announced once; its countdown is visual. */}
          <span aria-live="off" className="tabular-nums">
            {wait > 0 ? t('form.wait', { count: wait }) : t('form.waited')}
          </span>
        </>,
        wait > 0 ? null : retry,
      )
    case 'network':
      return renderNotice(`${t('error.network.title')}. ${t('form.lostConnection')}`, retry)
    case 'timeout':
      return renderNotice(t('form.timeout'), retry)
    default:
      return renderNotice(
        `${t('error.unknown.title')}: ${failure.error ? messageOfError(failure.error) : t('error.unknown.message')}`,
      )
  }
}
