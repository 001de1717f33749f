/**
 * Pictures in the whole window, and the buttons that open them; the code of the viewer is loaded when it
 * first opens.
 */
import { type ReactNode, useRef, useState } from 'react'
import { cx } from '../../lib/class-names.ts'
import { useT } from '../../lib/i18n.ts'
import { AwaitedPart } from '../awaited.tsx'
import type { GalleryPicture, GalleryProps } from './gallery-props.ts'
import { lazyPart } from '../lazy-part.ts'

const GalleryFrame = lazyPart(async () => (await import('./gallery-frame.tsx')).GalleryFrame)

function Gallery(props: GalleryProps) {
  return (
    <AwaitedPart onGiveUp={props.onClose}>
      <GalleryFrame {...props} />
    </AwaitedPart>
  )
}

interface GalleryButtonProps {
  /** All pictures of the viewer that the button opens. */
  pictures: readonly GalleryPicture[]
  /** Index of the button's picture among those of the viewer. */
  index: number
  className?: string
  /** Small picture inside the button that opens the viewer. */
  children: ReactNode
}

/** Picture that opens the viewer when pressed; the focus returns to it. */
export function GalleryButton({ pictures, index, className, children }: GalleryButtonProps) {
  const t = useT()
  const button = useRef<HTMLButtonElement>(null)
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <button
        ref={button}
        type="button"
        aria-haspopup="dialog"
        aria-label={t('gallery.open', { name: pictures[index]?.alt ?? '' })}
        onClick={() => setOpen(true)}
        className={cx('block cursor-zoom-in rounded-2', className)}
      >
        {children}
      </button>
      {isOpen ? (
        <Gallery
          pictures={pictures}
          start={index}
          onClose={() => {
            setOpen(false)
            button.current?.focus()
          }}
        />
      ) : null}
    </>
  )
}
