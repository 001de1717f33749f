/**
 * The help of the page: beside it in a wide window, over its end in a narrower one, a sheet over all of it on
 * a phone.
 */
import { Dialog } from '@base-ui/react/dialog'
import Compass from 'lucide-react/icons/compass'
import X from 'lucide-react/icons/x'
import { type ReactNode, type RefObject, Suspense, useEffect, useEffectEvent, useRef } from 'react'
import { cx } from '../../lib/class-names.ts'
import { useT } from '../../lib/i18n.ts'
import { phoneQuery, useMedia, wideQuery } from '../../lib/hooks/use-media.ts'
import { Button } from '../../ui/button.tsx'
import { iconButtonClass } from '../../ui/icon-button.tsx'
import { Skeleton } from '../../ui/feedback/skeleton.tsx'
import { restoreFocus } from './give-focus-back.ts'
import { HelpContent } from './help-content.tsx'
import { closeHelp, startTour, useHelpState } from './help-state.ts'

export function HelpPanel() {
  const isPhone = useMedia(phoneQuery)
  return isPhone ? <PhoneSheet /> : <SidePanel />
}

function SidePanel() {
  const t = useT()
  const { openCount } = useHelpState()
  const isWide = useMedia(wideQuery)
  const panel = useRef<HTMLElement>(null)
  const heading = useRef<HTMLHeadingElement>(null)
  const returnTo = useRef<HTMLElement | null>(null)
  useEffect(() => {
    const { activeElement } = document
    if (activeElement instanceof HTMLElement && !activeElement.closest('[data-help]')) returnTo.current = activeElement
    heading.current?.focus({ preventScroll: true })
  }, [openCount])
  const closePanel = () => {
    closeHelp()
    restoreFocus(returnTo.current)
  }
  const handleKey = useEffectEvent((event: KeyboardEvent) => {
    if (event.key !== 'Escape' || event.defaultPrevented) return
    event.preventDefault()
    closePanel()
  })
  // Outside the help panel Escape has another meaning, such as clearing a search or ending an edit.
  useEffect(() => {
    const element = panel.current
    element?.addEventListener('keydown', handleKey)
    return () => element?.removeEventListener('keydown', handleKey)
  }, [])
  return (
    <aside
      ref={panel}
      data-help=""
      aria-label={t('guide.title')}
      className={cx(
        'flex h-dvh w-[360px] shrink-0 flex-col border-s border-line bg-surface',
        isWide ? 'sticky top-0' : 'fixed inset-y-0 end-0 z-(--z-overlay) shadow-3',
      )}
    >
      <Frame
        heading={
          <h2 ref={heading} tabIndex={-1} className="text-lg font-semibold outline-0">
            {t('guide.title')}
          </h2>
        }
        close={
          <button type="button" aria-label={t('action.close')} onClick={closePanel} className={iconButtonClass}>
            <X size={19} aria-hidden />
          </button>
        }
      />
    </aside>
  )
}

function PhoneSheet() {
  const t = useT()
  const heading: RefObject<HTMLHeadingElement | null> = useRef(null)
  return (
    <Dialog.Root open onOpenChange={(isOpen) => !isOpen && closeHelp()}>
      <Dialog.Portal>
        <Dialog.Popup
          data-help=""
          initialFocus={heading}
          className="fixed inset-0 z-(--z-dialog) flex flex-col bg-surface outline-0"
        >
          <Frame
            heading={
              <Dialog.Title ref={heading} tabIndex={-1} className="text-lg font-semibold outline-0">
                {t('guide.title')}
              </Dialog.Title>
            }
            close={
              <Dialog.Close aria-label={t('action.close')} className={iconButtonClass}>
                <X size={19} aria-hidden />
              </Dialog.Close>
            }
          />
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  )
}

function Frame({ heading, close }: { heading: ReactNode; close: ReactNode }) {
  const t = useT()
  return (
    <>
      <header className="flex h-(--bar-h) shrink-0 items-center justify-between gap-3 border-b border-line ps-5 pe-3">
        {heading}
        {close}
      </header>
      <div className="min-h-0 flex-1 overflow-y-auto overscroll-contain px-5 pt-4 pb-8">
        <Suspense fallback={<Skeleton className="h-48 w-full" />}>
          <HelpContent />
        </Suspense>
      </div>
      <footer className="shrink-0 border-t border-line px-5 pt-3 pb-[max(12px,env(safe-area-inset-bottom))]">
        <Button className="w-full" icon={<Compass size={17} aria-hidden />} onClick={startTour}>
          {t('nav.tour')}
        </Button>
      </footer>
    </>
  )
}
