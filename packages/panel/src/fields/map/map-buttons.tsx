/** The buttons over a map: zoom in, zoom out, and show the whole country. */
import Locate from 'lucide-react/icons/locate'
import Minus from 'lucide-react/icons/minus'
import Plus from 'lucide-react/icons/plus'
import { useT } from '../../lib/i18n.ts'
import { IconButton } from '../../ui/icon-button.tsx'

/** Drawn map that can be zoomed. */
interface ZoomedMap {
  zoom: (step: -1 | 1) => void
  centre: () => void
}

/**
 * The buttons that zoom a map and show the whole country.
 *
 * @param props.map - The map that the buttons zoom; null while it is being drawn.
 */
export function MapButtons({ map }: { map: ZoomedMap | null }) {
  const t = useT()
  return (
    <div className="absolute end-2 top-2 z-10 grid rounded-2 border border-line-strong bg-surface">
      <IconButton label={t('action.zoomIn')} icon={<Plus size={17} aria-hidden />} onClick={() => map?.zoom(1)} />
      <IconButton label={t('action.zoomOut')} icon={<Minus size={17} aria-hidden />} onClick={() => map?.zoom(-1)} />
      <IconButton label={t('action.centre')} icon={<Locate size={17} aria-hidden />} onClick={() => map?.centre()} />
    </div>
  )
}
