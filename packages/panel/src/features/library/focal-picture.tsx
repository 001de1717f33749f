/**
 * A picture with the focal point that its thumbnails keep: set by a click, by dragging, or by the arrow keys.
 */
import type { Entry } from '@dala/model'
import { type KeyboardEvent, type PointerEvent, useId, useRef } from 'react'
import { CoverPicture } from '../../fields/picture/cover.tsx'
import { centre, type FocalPoint, pictureOf } from '../../fields/picture/picture.ts'
import { DrawableFiles } from '../../fields/upload/private-file.tsx'
import { formatPercent } from '../../lib/format.ts'
import { useLocale, useT } from '../../lib/i18n.ts'
import { LinkButton } from '../../ui/button.tsx'

interface FocalPictureProps {
  file: Entry
  alt: string
  focal: FocalPoint | null
  onFocal: (focal: FocalPoint | null) => void
}

const clampShare = (share: number) => Math.min(1, Math.max(0, Math.round(share * 100) / 100))

export function FocalPicture({ file, alt, focal, onFocal }: FocalPictureProps) {
  const t = useT()
  const locale = useLocale()
  const id = useId()
  const area = useRef<HTMLDivElement>(null)
  const focalHandle = useRef<HTMLInputElement>(null)
  const { x, y } = focal ?? centre
  const focalPoint = ({ clientX, clientY }: PointerEvent) => {
    const box = area.current?.getBoundingClientRect()
    if (!box || box.width === 0 || box.height === 0) return
    onFocal({ x: clampShare((clientX - box.left) / box.width), y: clampShare((clientY - box.top) / box.height) })
  }
  const handleKeyDown = (event: KeyboardEvent) => {
    const step = event.shiftKey ? 0.1 : 0.01
    const keyMoves: Partial<Record<string, FocalPoint>> = {
      ArrowLeft: { x: x - step, y },
      ArrowRight: { x: x + step, y },
      ArrowUp: { x, y: y - step },
      ArrowDown: { x, y: y + step },
      Home: centre,
    }
    const newFocal = keyMoves[event.key]
    if (!newFocal) return
    event.preventDefault()
    onFocal({ x: clampShare(newFocal.x), y: clampShare(newFocal.y) })
  }
  const percent = (share: number) => formatPercent(locale, Math.round(share * 100))
  return (
    <div className="grid gap-2">
      <div className="grid justify-items-center rounded-2 border border-line bg-sunken">
        <div
          ref={area}
          className="relative max-w-full cursor-crosshair touch-none overflow-hidden"
          onPointerDown={(event) => {
            if (event.button !== 0) return
            event.preventDefault()
            event.currentTarget.setPointerCapture(event.pointerId)
            focalHandle.current?.focus({ preventScroll: true })
            focalPoint(event)
          }}
          onPointerMove={(event) => {
            if (event.currentTarget.hasPointerCapture(event.pointerId)) focalPoint(event)
          }}
        >
          <DrawableFiles files={[file]}>
            {([drawable]) => {
              const largePicture = pictureOf(drawable)
              return (
                <img
                  src={largePicture?.src}
                  srcSet={largePicture?.srcSet || undefined}
                  sizes="420px"
                  alt={alt}
                  draggable={false}
                  className="max-h-72 min-h-11 max-w-full min-w-11"
                />
              )
            }}
          </DrawableFiles>
          {/* The slider of the focal point has two axes: its value text names both. */}
          <input
            ref={focalHandle}
            type="range"
            min={0}
            max={100}
            aria-label={t('library.focal')}
            aria-describedby={id}
            aria-valuetext={t('library.focalAt', { x: percent(x), y: percent(y) })}
            value={Math.round(x * 100)}
            onChange={({ target }) => onFocal({ x: clampShare(Number(target.value) / 100), y })}
            onKeyDown={handleKeyDown}
            // Focal coordinates are physical: a picture has no text direction.
            style={{ left: `${x * 100}%`, top: `${y * 100}%` }}
            className="focal-handle"
          />
        </div>
      </div>
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
        {['aspect-square', 'aspect-video', 'aspect-3/4'].map((shape) => (
          <CoverPicture
            key={shape}
            file={{ ...file, focal }}
            width={86}
            className={`h-12 rounded-1 bg-sunken ${shape}`}
          />
        ))}
        {focal ? (
          <LinkButton
            className="ms-auto"
            onClick={() => {
              onFocal(null)
              focalHandle.current?.focus()
            }}
          >
            {t('action.centre')}
          </LinkButton>
        ) : null}
      </div>
      <p id={id} className="text-sm text-muted">
        {t('library.focalHelp')}
      </p>
    </div>
  )
}
