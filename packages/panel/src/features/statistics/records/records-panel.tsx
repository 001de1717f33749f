/**
 * The records behind a figure: beside the report in a wide window, which becomes narrower instead of being covered,
 * and over all of it in a narrow one.
 */
import { Dialog } from '@base-ui/react/dialog'
import X from 'lucide-react/icons/x'
import { type ReactNode, useEffect, useEffectEvent, useRef } from 'react'
import { useT } from '../../../lib/i18n.ts'
import { useAsSidePanel } from '../../../lib/side-panel.ts'
import { narrowQuery, useMedia } from '../../../lib/hooks/use-media.ts'
import { iconButtonClass } from '../../../ui/icon-button.tsx'
import { RecordsContent, type RecordsContentProps } from './records-content.tsx'

interface RecordsPanelProps extends RecordsContentProps {
  /** Name of the figure, with that of its row or interval. */
  name: string
  onClose: () => void
}

export function RecordsPanel(props: RecordsPanelProps) {
  const isNarrow = useMedia(narrowQuery)
  return isNarrow ? <FullWindow {...props} /> : <SidePanel {...props} />
}

function SidePanel({ name, onClose, ...content }: RecordsPanelProps) {
  useAsSidePanel()
  const t = useT()
  const panel = useRef<HTMLElement>(null)
  const heading = useRef<HTMLHeadingElement>(null)
  const returnTo = useRef<HTMLElement | null>(null)
  useEffect(() => {
    const { activeElement } = document
    if (activeElement instanceof HTMLElement && !panel.current?.contains(activeElement))
      returnTo.current = activeElement
    heading.current?.focus({ preventScroll: true })
  }, [name])
  const closePanel = () => {
    onClose()
    returnTo.current?.focus()
  }
  const closeOnEscape = useEffectEvent((event: KeyboardEvent) => {
    if (event.key !== 'Escape' || event.defaultPrevented) return
    event.preventDefault()
    closePanel()
  })
  useEffect(() => {
    const element = panel.current
    element?.addEventListener('keydown', closeOnEscape)
    return () => element?.removeEventListener('keydown', closeOnEscape)
  }, [])
  return (
    <aside
      ref={panel}
      aria-label={t('statistics.recordsOf', { name })}
      className="no-print sticky top-(--top-h) -me-6 -mt-2 flex h-[calc(100dvh-var(--top-h))] w-[448px] shrink-0 flex-col border-s border-line bg-surface"
    >
      <Frame
        heading={
          <h2 ref={heading} tabIndex={-1} className="min-w-0 text-xl leading-tight font-semibold outline-0">
            {name}
          </h2>
        }
        close={
          <button type="button" aria-label={t('action.close')} onClick={closePanel} className={iconButtonClass}>
            <X size={19} aria-hidden />
          </button>
        }
        {...content}
      />
    </aside>
  )
}

function FullWindow({ name, onClose, ...content }: RecordsPanelProps) {
  const t = useT()
  const heading = useRef<HTMLHeadingElement>(null)
  return (
    <Dialog.Root open onOpenChange={(isOpen) => !isOpen && onClose()}>
      <Dialog.Portal>
        <Dialog.Popup
          initialFocus={heading}
          className="fixed inset-0 z-(--z-dialog) flex flex-col bg-surface outline-0"
        >
          <Frame
            heading={
              <Dialog.Title
                ref={heading}
                tabIndex={-1}
                className="min-w-0 text-xl leading-tight font-semibold outline-0"
              >
                {name}
              </Dialog.Title>
            }
            close={
              <Dialog.Close aria-label={t('action.close')} className={iconButtonClass}>
                <X size={19} aria-hidden />
              </Dialog.Close>
            }
            {...content}
          />
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  )
}

function Frame({ heading, close, ...content }: RecordsContentProps & { heading: ReactNode; close: ReactNode }) {
  return (
    <>
      <header className="flex shrink-0 items-start justify-between gap-3 ps-4 pt-3 pe-2.5">
        {heading}
        {close}
      </header>
      <RecordsContent {...content} />
    </>
  )
}
