/**
 * The tour: a small panel beside one control after the other, and a spotlight on the control. It blocks
 * nothing on the page.
 */
import { Popover } from '@base-ui/react/popover'
import { useLocation, useNavigate } from '@tanstack/react-router'
import X from 'lucide-react/icons/x'
import { useEffect, useRef, useState } from 'react'
import type { CurrentUser } from '../../api/session.ts'
import { useT } from '../../lib/i18n.ts'
import { leaveTour } from '../../lib/tour-mark.ts'
import { phoneQuery, useMedia } from '../../lib/hooks/use-media.ts'
import { Button } from '../../ui/button.tsx'
import { iconButtonClass } from '../../ui/icon-button.tsx'
import { restoreFocus } from '../help/give-focus-back.ts'
import { endTour } from '../help/help-state.ts'
import type { Section } from '../shell/menu/sections.ts'
import { stepsFor } from './steps.ts'
import { type AnchorRect, useAnchor, useAnchorRect } from './use-anchor.ts'

/** Position of the tour's panel while its control is not on the page yet, or never appears. */
const lowerEdge = { getBoundingClientRect: () => new DOMRect(window.innerWidth / 2, window.innerHeight - 24, 0, 0) }

export function Tour({ me, sections }: { me: CurrentUser; sections: readonly Section[] }) {
  const t = useT()
  const navigate = useNavigate()
  const { pathname, href } = useLocation()
  const isPhone = useMedia(phoneQuery)
  const [home] = useState(href)
  const [returnTo] = useState(() => (document.activeElement instanceof HTMLElement ? document.activeElement : null))
  const [index, setIndex] = useState(0)
  const nextButton = useRef<HTMLButtonElement>(null)
  const steps = stepsFor(sections, me, home)
  const step = steps[index]
  const anchor = useAnchor(step?.anchors ?? [])
  const rect = useAnchorRect(anchor)
  useEffect(() => leaveTour(me.id), [me.id])
  useEffect(() => {
    // A page focuses its beginning when it opens; the panel of the tour takes the focus after that.
    const frame = requestAnimationFrame(() => nextButton.current?.focus({ preventScroll: true }))
    return () => cancelAnimationFrame(frame)
  }, [index, anchor, pathname])
  if (!step) return null
  const { name } = step
  const goToStep = (newIndex: number) => {
    const address = steps[newIndex]?.to
    setIndex(newIndex)
    if (address !== undefined && address !== href) void navigate({ href: address })
  }
  const closeTour = () => {
    endTour()
    restoreFocus(returnTo)
  }
  const isLast = index === steps.length - 1
  const isCompact = isPhone && (name === 'search' || name === 'help')
  const text = t(isCompact ? `tour.${name}.compact` : `tour.${name}.text`)
  return (
    <>
      {rect ? <TourLight rect={rect} /> : null}
      <Popover.Root
        open
        // A press elsewhere, or a focus on the page, does not end the tour.
        onOpenChange={(_open, { reason }) => reason === 'escape-key' && closeTour()}
      >
        <Popover.Portal>
          <Popover.Positioner
            anchor={anchor ?? lowerEdge}
            side={name === 'menu' && !isPhone ? 'inline-end' : 'bottom'}
            align={name === 'menu' || name === 'list' ? 'start' : 'center'}
            positionMethod="fixed"
            sideOffset={14}
            collisionPadding={14}
            className="z-(--z-toast)"
          >
            <Popover.Popup
              data-tour-step={name}
              initialFocus={nextButton}
              finalFocus={false}
              className="w-[min(348px,calc(100vw-28px))] rounded-3 border border-line bg-surface p-4 shadow-3 outline-0"
            >
              <div className="flex items-start justify-between gap-3">
                <div aria-live="polite" className="grid gap-1">
                  <p className="text-sm text-muted tabular-nums">
                    {t('tour.step', { step: index + 1, total: steps.length })}
                  </p>
                  <Popover.Title className="text-lg leading-tight font-semibold">
                    {t(`tour.${name}.title`)}
                  </Popover.Title>
                  <Popover.Description className="pt-1">{text}</Popover.Description>
                </div>
                <button
                  type="button"
                  aria-label={t('tour.leave')}
                  onClick={closeTour}
                  className={`${iconButtonClass} -me-1.5 -mt-1.5`}
                >
                  <X size={18} aria-hidden />
                </button>
              </div>
              <div className="flex flex-wrap justify-end gap-2 pt-4">
                {index > 0 ? (
                  <Button kind="quiet" onClick={() => goToStep(index - 1)}>
                    {t('tour.back')}
                  </Button>
                ) : null}
                <Button ref={nextButton} kind="primary" onClick={() => (isLast ? closeTour() : goToStep(index + 1))}>
                  {t(isLast ? 'tour.done' : 'tour.next')}
                </Button>
              </div>
            </Popover.Popup>
          </Popover.Positioner>
        </Popover.Portal>
      </Popover.Root>
    </>
  )
}

const margin = 6

/** Darkens the page except the control of the tour. Presses and keys still work on the page. */
function TourLight({ rect: { top, left, width, height } }: { rect: AnchorRect }) {
  return (
    <div
      aria-hidden
      data-tour-light=""
      className="tour-light"
      style={{ top: top - margin, left: left - margin, width: width + 2 * margin, height: height + 2 * margin }}
    />
  )
}
