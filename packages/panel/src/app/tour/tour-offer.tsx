/**
 * Offers the tour to a user who signs in for the first time: a note at the edge of the page, dismissed by one
 * press.
 */
import Compass from 'lucide-react/icons/compass'
import X from 'lucide-react/icons/x'
import { useT } from '../../lib/i18n.ts'
import { leaveTour } from '../../lib/tour-mark.ts'
import { Button } from '../../ui/button.tsx'
import { IconButton } from '../../ui/icon-button.tsx'
import { startTour } from '../help/help-state.ts'

export function TourOffer({ id }: { id: number }) {
  const t = useT()
  const dismissOffer = () => {
    leaveTour(id)
    document.getElementById('main')?.focus({ preventScroll: true })
  }
  return (
    <section
      aria-label={t('nav.tour')}
      className="tour-offer fixed end-6 z-(--z-menu) w-[min(360px,calc(100vw-28px))] rounded-3 border border-line bg-surface p-4 shadow-2 max-md:end-3.5"
    >
      <div className="flex items-start justify-between gap-3">
        <h2 className="font-semibold">{t('tour.offer.title')}</h2>
        <IconButton
          label={t('tour.offer.later')}
          icon={<X size={18} aria-hidden />}
          className="-me-1.5 -mt-1.5"
          onClick={dismissOffer}
        />
      </div>
      <p className="pt-1 text-muted">{t('tour.offer.text')}</p>
      <Button className="mt-3" icon={<Compass size={17} aria-hidden />} onClick={startTour}>
        {t('tour.start')}
      </Button>
    </section>
  )
}
