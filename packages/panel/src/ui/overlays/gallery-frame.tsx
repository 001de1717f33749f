/**
 * The open picture viewer: navigation by arrows, keys and swipes, with zoom, a counter and thumbnails; black
 * in both modes.
 */
import { useRef } from 'react'
import Lightbox, { type ControllerRef, type ZoomRef } from 'yet-another-react-lightbox'
import Counter from 'yet-another-react-lightbox/plugins/counter'
import Thumbnails from 'yet-another-react-lightbox/plugins/thumbnails'
import Zoom from 'yet-another-react-lightbox/plugins/zoom'
import { useT } from '../../lib/i18n.ts'
import type { GalleryProps } from './gallery-props.ts'
import './gallery.css'
import { swipeStep } from './swipe.ts'

interface PressStart {
  pointer: number
  x: number
  y: number
}

export function GalleryFrame({ pictures, start, onClose }: GalleryProps) {
  const t = useT()
  const galleryViewer = useRef<ControllerRef>(null)
  const pressStart = useRef<PressStart | null>(null)
  const zoom = useRef(1)
  const zoomHandle = useRef<ZoomRef>(null)
  const isAlone = pictures.length < 2
  return (
    <Lightbox
      open
      close={onClose}
      index={start}
      className="picture-gallery"
      slides={pictures.map(({ src, thumbnail, alt, width, height }) => ({
        src,
        alt,
        ...(thumbnail ? { thumbnail } : {}),
        ...(width && height ? { width, height } : {}),
      }))}
      plugins={isAlone ? [Zoom] : [Counter, Thumbnails, Zoom]}
      // Thumbnails of four neighbours on each side; only the nearest two large pictures are loaded.
      carousel={{ finite: true, preload: 4 }}
      // Keys pressed in the picture viewer must not reach the page below, such as a row or a dialog.
      portal={{ container: { onKeyDown: (event) => event.stopPropagation() } }}
      counter={{ container: { dir: 'ltr' } }}
      controller={{ ref: galleryViewer, disableSwipeNavigation: true, closeOnBackdropClick: true }}
      animation={{ fade: 120, swipe: 160 }}
      thumbnails={{ width: 72, height: 54, border: 2, borderRadius: 6, padding: 0, gap: 8, vignette: false }}
      zoom={{ ref: zoomHandle, maxZoomPixelRatio: 3 }}
      on={{
        zoom: (now) => {
          zoom.current = now.zoom
        },
        view: () => {
          zoom.current = 1
        },
      }}
      render={{
        slideContainer: ({ children }) => (
          <div
            className="picture-gallery-slide"
            onDoubleClick={() => {
              if (zoom.current === 1) zoomHandle.current?.zoomIn()
            }}
            onPointerDown={(event) => {
              // A swipe has one finger and an unzoomed picture; the end of an earlier press may be missing.
              const isFirst = event.isPrimary && zoom.current === 1
              pressStart.current = isFirst ? { pointer: event.pointerId, x: event.clientX, y: event.clientY } : null
              // The viewer would take two swipes within half a second for a double click, and zoom.
              if (isFirst && event.pointerType === 'mouse') event.stopPropagation()
              if (isFirst) event.currentTarget.setPointerCapture(event.pointerId)
            }}
            onPointerUp={(event) => {
              const pressPoint = pressStart.current
              pressStart.current = null
              if (pressPoint?.pointer !== event.pointerId) return
              const isRtl = getComputedStyle(event.currentTarget).direction === 'rtl'
              const step = swipeStep(event.clientX - pressPoint.x, event.clientY - pressPoint.y, isRtl)
              if (step === 1) galleryViewer.current?.next()
              if (step === -1) galleryViewer.current?.prev()
            }}
            onPointerCancel={() => {
              pressStart.current = null
            }}
          >
            {children}
          </div>
        ),
        slide: ({ offset }) => (Math.abs(offset) > 1 ? <span /> : undefined),
        slideFooter: ({ slide }) => {
          const caption = pictures.find(({ src }) => 'src' in slide && src === slide.src)?.caption
          return caption ? <p className="picture-gallery-caption">{caption}</p> : null
        },
        ...(isAlone ? { buttonPrev: () => null, buttonNext: () => null } : {}),
      }}
      labels={{
        Lightbox: t('gallery.title'),
        'Photo gallery': t('gallery.title'),
        Carousel: t('gallery.title'),
        Slide: t('gallery.slide'),
        Previous: t('gallery.previous'),
        Next: t('gallery.next'),
        Close: t('gallery.close'),
        'Zoom in': t('gallery.zoomIn'),
        'Zoom out': t('gallery.zoomOut'),
        Thumbnails: t('gallery.thumbnails'),
        '{index} of {total}': t('upload.galleryPosition', { index: '{index}', total: '{total}' }),
      }}
    />
  )
}
