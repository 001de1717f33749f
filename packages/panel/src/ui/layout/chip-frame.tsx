/** Chip with a condition as text, and a button that removes it. */
import X from 'lucide-react/icons/x'
import type { ReactNode } from 'react'
import { useT } from '../../lib/i18n.ts'

interface ChipFrameProps {
  /** Text of the chip, for the name of the button that removes it. */
  label: string
  onRemove: () => void
  children: ReactNode
}

export function ChipFrame({ label, onRemove, children }: ChipFrameProps) {
  const t = useT()
  return (
    <span className="inline-flex max-w-full items-center rounded-1 bg-brand-soft ps-2.5 text-sm font-medium text-on-brand-soft">
      <span className="min-w-0 py-1 wrap-anywhere">{children}</span>
      <button
        type="button"
        data-chip
        aria-label={t('select.removeChoice', { name: label })}
        onClick={onRemove}
        className="grid size-7 shrink-0 place-items-center rounded-1 hover:text-ink max-md:size-11"
      >
        <X size={14} aria-hidden />
      </button>
    </span>
  )
}
