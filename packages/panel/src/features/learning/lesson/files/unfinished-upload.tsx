/**
 * A notice of an upload that stopped, e.g. with its page: the user chooses the same file again to continue.
 */
import CloudUpload from 'lucide-react/icons/cloud-upload'
import { useEffect, useEffectEvent } from 'react'
import { useT } from '../../../../lib/i18n.ts'
import { LinkButton } from '../../../../ui/button.tsx'
import { type UnfinishedUpload, useSentPercent } from './unfinished.ts'

interface StoppedUploadProps {
  upload: UnfinishedUpload
  onChoose: () => void
  onDiscard: () => void
  /** Called when the server has deleted what was uploaded of an unfinished file. */
  onGone: () => void
}

export function StoppedUpload({ upload, onChoose, onDiscard, onGone }: StoppedUploadProps) {
  const t = useT()
  const percent = useSentPercent(upload)
  const isGone = percent === null
  const end = useEffectEvent(onGone)
  useEffect(() => {
    if (isGone) end()
  }, [isGone])
  if (isGone) return null
  const { name } = upload
  return (
    <output className="flex flex-wrap items-center gap-x-4 gap-y-1.5 rounded-2 bg-warning-soft px-4 py-3 text-warning-text">
      <CloudUpload size={18} aria-hidden className="shrink-0" />
      <span className="min-w-48 flex-1 wrap-anywhere">
        {percent === undefined ? t('lessonFile.stopped', { name }) : t('lessonFile.stoppedAt', { name, percent })}
      </span>
      <span className="flex flex-wrap gap-3">
        <LinkButton onClick={onChoose}>{t('lessonFile.chooseAgain')}</LinkButton>
        <LinkButton onClick={onDiscard}>{t('lessonFile.discardUpload')}</LinkButton>
      </span>
    </output>
  )
}
