/** A place that takes files: dropped on it, pasted into it, or chosen by its button, which is the dashed well or what is handed in. */
import ImagePlus from 'lucide-react/icons/image-plus'
import { type DragEvent, type ReactNode, useRef, useState } from 'react'
import { cx } from '../lib/class-names.ts'
import { useT } from '../lib/i18n.ts'
import { useFieldControl, useFieldLabel } from '../ui/field.tsx'

export interface UploadZoneProps {
  several: boolean
  /** Nothing more is taken: what is dropped is refused by the caller, the well is not shown. */
  full?: boolean
  hint: ReactNode
  onFiles: (files: readonly File[]) => void
  children: (choose: () => void) => ReactNode
}

const carriesFiles = ({ dataTransfer }: DragEvent) => dataTransfer.types.includes('Files')

export function UploadZone({ several, full = false, hint, onFiles, children }: UploadZoneProps) {
  const label = useFieldLabel()
  const { id, ...control } = useFieldControl()
  const chooser = useRef<HTMLInputElement>(null)
  const [isOver, setOver] = useState(false)
  const t = useT()
  const take = (files: FileList | null | undefined) => {
    const list = [...(files ?? [])]
    if (list.length > 0) onFiles(several ? list : list.slice(0, 1))
    return list.length > 0
  }
  const choose = () => chooser.current?.click()
  return (
    <div
      role="group"
      id={id}
      aria-labelledby={label}
      aria-describedby={control['aria-describedby']}
      className={cx('grid gap-3.5 rounded-2', isOver && 'outline-2 outline-offset-4 outline-focus')}
      onDragOver={(event) => {
        if (!carriesFiles(event)) return
        event.preventDefault()
        setOver(true)
      }}
      onDragLeave={(event) => {
        if (!(event.relatedTarget instanceof Node && event.currentTarget.contains(event.relatedTarget))) setOver(false)
      }}
      onDrop={(event) => {
        setOver(false)
        if (!carriesFiles(event)) return
        event.preventDefault()
        take(event.dataTransfer.files)
      }}
      onPaste={(event) => {
        if (take(event.clipboardData.files)) event.preventDefault()
      }}
    >
      {children(choose)}
      {full ? null : (
        <button
          type="button"
          onClick={choose}
          aria-describedby={control['aria-describedby']}
          className={cx(
            'grid justify-items-center gap-0.5 rounded-2 border border-dashed bg-sunken px-4 py-6 text-center hover:border-muted',
            control['aria-invalid'] ? 'border-danger-text' : 'border-line-strong',
          )}
        >
          <ImagePlus size={26} aria-hidden strokeWidth={1.6} className="mb-1.5 text-brand-text" />
          <span className="font-semibold">{t('action.dragHere')}</span>
          <span className="font-semibold text-brand-text">{t('upload.orChoose')}</span>
          <span className="mt-0.5 text-sm text-muted">{hint}</span>
        </button>
      )}
      <input
        ref={chooser}
        type="file"
        accept="image/*"
        multiple={several}
        hidden
        onChange={(event) => {
          take(event.target.files)
          // The same file can be chosen again after a failure.
          event.target.value = ''
        }}
      />
    </div>
  )
}
