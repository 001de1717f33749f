/** The location of a file's details: beside the pictures, or over them in a narrow window. */
import ArrowLeft from 'lucide-react/icons/arrow-left'
import X from 'lucide-react/icons/x'
import { type ReactNode, useEffect, useRef } from 'react'
import { ApiError } from '../../api/api-error.ts'
import { messageOfFailure } from '../../api/error-toasts.ts'
import { fileTitleOf } from '../../fields/picture/picture-value.ts'
import { useT } from '../../lib/i18n.ts'
import { Button, LinkButton } from '../../ui/button.tsx'
import { Dialog } from '../../ui/overlays/dialog.tsx'
import { FailureState } from '../../ui/feedback/failure-state.tsx'
import { IconButton } from '../../ui/icon-button.tsx'
import { Sheet } from '../../ui/layout/sheet.tsx'
import { DelayedContent, Skeleton } from '../../ui/feedback/skeleton.tsx'
import { FileDetails } from './file-details.tsx'
import type { FileForm } from './use-file-form.ts'

interface FilePlaceProps {
  id: number | undefined
  form: FileForm
  isSideBySide: boolean
  onClose: () => void
  onGone: () => void
}

export function FilePlace({ id, form, isSideBySide: isBeside, onClose, onGone }: FilePlaceProps) {
  const t = useT()
  const name = form.file ? fileTitleOf(form.file) : t('library.files')
  if (isBeside && id === undefined) return null
  const content = <Content key={id} form={form} onGone={onGone} />
  if (isBeside && id !== undefined)
    return (
      <SidePane key={id} name={name} onClose={onClose}>
        {content}
      </SidePane>
    )
  return (
    <Dialog
      open={id !== undefined}
      onOpenChange={(isOpen) => !isOpen && onClose()}
      title={name}
      isWide
      actions={<Button onClick={onClose}>{t('action.close')}</Button>}
    >
      {id === undefined ? null : (
        <>
          {/* Close button at the head of the details; the other button of the dialog is far below. */}
          <LinkButton
            className="mb-2 min-h-11!"
            icon={<ArrowLeft size={16} aria-hidden className="mirrored" />}
            onClick={onClose}
          >
            {t('action.back')}
          </LinkButton>
          {content}
        </>
      )}
    </Dialog>
  )
}

interface SidePaneProps {
  name: string
  onClose: () => void
  children: ReactNode
}

function SidePane({ name, onClose, children }: SidePaneProps) {
  const t = useT()
  const heading = useRef<HTMLHeadingElement>(null)
  // Opened details of a file take the focus at their head.
  useEffect(() => heading.current?.focus({ preventScroll: true }), [])
  return (
    <Sheet
      aria-label={t('library.details', { name })}
      className="sticky top-[76px] max-h-[calc(100dvh-92px)] w-[372px] shrink-0 overflow-y-auto p-5"
      onKeyDown={(event) => {
        // The key Escape closes only an open list or dialog above the details of the file.
        if (
          event.key === 'Escape' &&
          !event.defaultPrevented &&
          event.target instanceof Node &&
          event.currentTarget.contains(event.target)
        )
          onClose()
      }}
    >
      <div className="mb-3 flex items-start justify-between gap-2">
        <h2 ref={heading} tabIndex={-1} className="text-lg leading-tight font-semibold wrap-anywhere outline-0">
          {name}
        </h2>
        <IconButton
          label={t('action.close')}
          icon={<X size={18} aria-hidden />}
          className="-me-2 -mt-2"
          onClick={onClose}
        />
      </div>
      {children}
    </Sheet>
  )
}

function Content({ form, onGone }: { form: FileForm; onGone: () => void }) {
  const t = useT()
  const { file, draft, error, retry } = form
  if (file && draft) return <FileDetails file={file} draft={draft} form={form} onGone={onGone} />
  if (error)
    return (
      <FailureState
        title={t('library.fileFailed')}
        text={messageOfFailure(error)}
        {...(error instanceof ApiError && error.status > 0 && { status: error.status })}
        onRetry={retry}
      />
    )
  return (
    <DelayedContent>
      <div className="grid gap-4">
        <Skeleton className="h-52 w-full" />
        <Skeleton className="h-9 w-full" />
        <Skeleton className="h-9 w-full" />
        <Skeleton className="h-40 w-full" />
      </div>
    </DelayedContent>
  )
}
