/** The dialog that crops a picture to the size of its field. */
import { type KeyboardEvent, type ReactNode, type Ref, useRef, useState } from 'react'
import { FixedCropper, type FixedCropperRef, ImageRestriction } from 'react-advanced-cropper'
import { useT } from '../../../lib/i18n.ts'
import { Button, LinkButton } from '../../../ui/button.tsx'
import { Dialog } from '../../../ui/overlays/dialog.tsx'
import { FieldError } from '../../../ui/inputs/field.tsx'
import { Select } from '../../../ui/inputs/select.tsx'
import { type CropPreset, presetSizes } from '../picture-value.ts'
import './cropper.css'
import { type CropperTools, maxZoom, ToolRow, zoomStep } from './tools.tsx'
import { type StoredCrop, cropFile, isTooSmall, rotatedSize, widestArea, zoomOf } from './cut.ts'

export interface CropperDialogProps {
  /** Loaded picture to crop, from an address that a canvas may read. */
  image: HTMLImageElement
  /** Size of the cropped picture that the field requires; without one the user chooses the size. */
  preset: CropPreset | undefined
  /** Previous crop of the picture, with which the dialog begins. */
  start: StoredCrop | undefined
  onCrop: (file: File, crop: StoredCrop) => void
  /** Called when the user keeps the picture uncropped; absent where there is no new file. */
  onKeep: (() => void) | undefined
  onCancel: () => void
}

const cropPresets = ['4x3', 'image', 'banner', 'avatar', 'passport', 'patent'] as const

/** Share of the visible part by which one press of an arrow key moves the crop. */
const moveStep = 0.04
/** Tools of the cropper apply immediately, without a transition. */
const immediateChange = { interaction: false, transitions: false }

const arrowMoves: Readonly<Record<string, readonly [number, number]>> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
}

export function CropperDialog({ image, preset: fixedPreset, start, onCrop, onKeep, onCancel }: CropperDialogProps) {
  const t = useT()
  const cropper = useRef<FixedCropperRef>(null)
  const container = useRef<HTMLDivElement>(null)
  const [preset, setPreset] = useState<CropPreset>(fixedPreset ?? start?.preset ?? '4x3')
  const [crop, setCrop] = useState<StoredCrop>()
  const [step, setStep] = useState<'cutting' | 'saving' | 'failed'>('cutting')
  const [width, height] = presetSizes[preset]
  const naturalSize = { width: image.naturalWidth, height: image.naturalHeight }
  const zoom = crop ? Math.min(maxZoom, Math.max(1, zoomOf(naturalSize, crop))) : 1
  // Only the rotation is used from an earlier crop with other proportions.
  const area =
    start?.preset === preset
      ? start.area
      : widestArea(rotatedSize(naturalSize, start?.rotate ?? 0), presetSizes[preset])

  const updateCrop = () => {
    const state = cropper.current?.getState()
    if (!state?.coordinates) return
    const { rotate, flip } = state.transforms
    setCrop({ preset, rotate, flip, area: state.coordinates })
  }
  const tools: CropperTools = {
    zoom: (targetZoom) =>
      cropper.current?.zoomImage(Math.min(maxZoom, Math.max(1, targetZoom)) / zoom, immediateChange),
    rotatePicture: (degrees) => cropper.current?.rotateImage(degrees, immediateChange),
    flipPicture: (direction) =>
      cropper.current?.flipImage(direction === 'horizontal', direction === 'vertical', immediateChange),
    centre: () => {
      if (!crop) return
      const rotatedPicture = rotatedSize(naturalSize, crop.rotate)
      const [leftOffset, topOffset] = [
        (rotatedPicture.width - crop.area.width) / 2,
        (rotatedPicture.height - crop.area.height) / 2,
      ]
      cropper.current?.setCoordinates({ ...crop.area, left: leftOffset, top: topOffset }, { transitions: false })
    },
  }
  const save = async () => {
    if (!crop) return
    setStep('saving')
    try {
      onCrop(await cropFile(image, crop), crop)
    } catch {
      setStep('failed')
    }
  }
  const handleKeyDown = (event: KeyboardEvent) => {
    const arrowMove = arrowMoves[event.key]
    const isZoomIn = event.key === '+' || event.key === '='
    if (arrowMove && crop) {
      const [x, y] = arrowMove
      const moveDistance = moveStep * crop.area.width
      cropper.current?.setCoordinates(
        { ...crop.area, left: crop.area.left + x * moveDistance, top: crop.area.top + y * moveDistance },
        { transitions: false },
      )
    } else if (isZoomIn) tools.zoom(zoom * zoomStep)
    else if (event.key === '-' || event.key === '_') tools.zoom(zoom / zoomStep)
    else return
    event.preventDefault()
  }
  const size = t('cropper.pixels', { width: String(width), height: String(height) })
  return (
    <Dialog
      open
      isWide
      onOpenChange={(isOpen) => {
        if (!isOpen) onCancel()
      }}
      title={t('cropper.title')}
      initialFocus={container}
      actions={
        <>
          <div className="me-auto flex min-w-0 flex-wrap items-center gap-x-3 gap-y-2 text-sm max-md:w-full">
            {fixedPreset === undefined ? (
              <Select
                aria-label={t('cropper.presetLabel')}
                value={preset}
                onValueChange={setPreset}
                choices={cropPresets.map((value) => ({ value, label: t(`cropper.preset.${value}`) }))}
                className="w-40"
              />
            ) : (
              <b className="font-semibold">{t(`cropper.preset.${preset}`)}</b>
            )}
            <span className="text-muted tabular-nums">{size}</span>
            {onKeep ? <LinkButton onClick={onKeep}>{t('cropper.keep')}</LinkButton> : null}
          </div>
          <Button onClick={onCancel}>{t('action.cancel')}</Button>
          <Button kind="primary" isBusy={step === 'saving'} onClick={() => void save()}>
            {t('action.save')}
          </Button>
        </>
      }
    >
      <div className="grid grid-cols-[minmax(0,1fr)] gap-3">
        <CropDrawing ref={container} onKeyDown={handleKeyDown}>
          <FixedCropper
            key={preset}
            ref={cropper}
            src={image.src}
            className="picture-cropper"
            canvas={false}
            crossOrigin={false}
            checkOrientation={false}
            transitions={false}
            imageRestriction={ImageRestriction.stencil}
            stencilSize={({ boundary }) => {
              const scale = Math.min((boundary.width * 0.86) / width, (boundary.height * 0.86) / height)
              return { width: width * scale, height: height * scale }
            }}
            stencilProps={{
              className: 'picture-cropper-stencil',
              handlers: {},
              lines: {},
              movable: false,
              resizable: false,
            }}
            {...(start ? { defaultTransforms: { rotate: start.rotate, flip: start.flip } } : {})}
            defaultCoordinates={area}
            onUpdate={updateCrop}
            onReady={updateCrop}
          />
        </CropDrawing>
        <p id="cropper-keys" className="text-center text-sm text-muted max-md:sr-only">
          {t('cropper.keys')}
        </p>
        <ToolRow zoom={zoom} tools={tools} />
        <output className="text-sm text-warning-text empty:hidden">
          {crop && isTooSmall(crop.area, [width, height])
            ? t('cropper.fewPixels', {
                width: String(Math.round(crop.area.width)),
                height: String(Math.round(crop.area.height)),
              })
            : null}
        </output>
        {step === 'failed' ? (
          <div role="alert">
            <FieldError>{t('cropper.failed')}</FieldError>
          </div>
        ) : null}
      </div>
    </Dialog>
  )
}

interface DrawingProps {
  ref: Ref<HTMLDivElement>
  onKeyDown: (event: KeyboardEvent) => void
  children: ReactNode
}

/**
 * The crop area handles its own keys, as a drawing program does, so a screen reader must pass them through.
 */
function CropDrawing({ ref, onKeyDown, children }: DrawingProps) {
  const t = useT()
  const keys = { role: 'application', tabIndex: 0, onKeyDown }
  return (
    <div
      ref={ref}
      {...keys}
      aria-label={t('cropper.picture')}
      aria-describedby="cropper-keys"
      dir="ltr"
      className="rounded-2"
    >
      {/* The cropped picture consists of several elements, so one name describes them all to screen readers.
       */}
      <div aria-hidden>{children}</div>
    </div>
  )
}
