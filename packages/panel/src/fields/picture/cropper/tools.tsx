/** The tools of the cropper: zoom, rotate, mirror, reset to the centre. */
import MirrorSideways from 'lucide-react/icons/carets-to-axis-dashed-vertical'
import MirrorUpright from 'lucide-react/icons/carets-to-axis-dashed-horizontal'
import Focus from 'lucide-react/icons/focus'
import RotateCcw from 'lucide-react/icons/rotate-ccw'
import RotateCw from 'lucide-react/icons/rotate-cw'
import ZoomIn from 'lucide-react/icons/zoom-in'
import ZoomOut from 'lucide-react/icons/zoom-out'
import type { ReactNode } from 'react'
import { formatNumber } from '../../../lib/format.ts'
import { useLocale, useT } from '../../../lib/i18n.ts'
import { IconButton } from '../../../ui/icon-button.tsx'

/** Maximum zoom of the picture cropper. */
export const maxZoom = 8
export const zoomStep = 1.25

export interface CropperTools {
  zoom: (targetZoom: number) => void
  rotatePicture: (degrees: -90 | 90) => void
  flipPicture: (direction: 'horizontal' | 'vertical') => void
  centre: () => void
}

export function ToolRow({ zoom, tools }: { zoom: number; tools: CropperTools }) {
  const t = useT()
  const locale = useLocale()
  const renderTool = (label: string, icon: ReactNode, onClick: () => void) => (
    <IconButton label={label} icon={icon} onClick={onClick} className="max-md:size-10!" />
  )
  return (
    <fieldset aria-label={t('cropper.tools')} className="flex min-w-0 flex-wrap items-center justify-center gap-1">
      <span className="flex items-center gap-1">
        {renderTool(t('cropper.zoomOut'), <ZoomOut size={18} aria-hidden />, () => tools.zoom(zoom / zoomStep))}
        <input
          type="range"
          aria-label={t('cropper.zoom')}
          aria-valuetext={t('cropper.times', { zoom: formatNumber(locale, zoom, 1) })}
          min={0}
          max={100}
          // The slider of the zoom is logarithmic, because people perceive zoom as a ratio: from 1 to 2 is as
          // far as from 2 to 4.
          value={Math.round((Math.log(zoom) / Math.log(maxZoom)) * 100)}
          onChange={({ target }) => tools.zoom(maxZoom ** (Number(target.value) / 100))}
          className="h-11 w-36 accent-(--brand-ui) md:w-44"
        />
        {renderTool(t('cropper.zoomIn'), <ZoomIn size={18} aria-hidden />, () => tools.zoom(zoom * zoomStep))}
      </span>
      <span className="flex items-center gap-1">
        {renderTool(t('cropper.rotateLeft'), <RotateCcw size={18} aria-hidden />, () => tools.rotatePicture(-90))}
        {renderTool(t('cropper.rotateRight'), <RotateCw size={18} aria-hidden />, () => tools.rotatePicture(90))}
        {renderTool(t('cropper.flipHorizontal'), <MirrorSideways size={18} aria-hidden />, () =>
          tools.flipPicture('horizontal'),
        )}
        {renderTool(t('cropper.flipVertical'), <MirrorUpright size={18} aria-hidden />, () =>
          tools.flipPicture('vertical'),
        )}
        {renderTool(t('cropper.centre'), <Focus size={18} aria-hidden />, tools.centre)}
      </span>
    </fieldset>
  )
}
