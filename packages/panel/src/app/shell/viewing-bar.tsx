/**
 * The bar while the panel is viewed as another role: names the role, explains that it is read-only, and leads
 * back.
 */
import { useQueryClient } from '@tanstack/react-query'
import Eye from 'lucide-react/icons/eye'
import { viewAs } from '../../api/renew.ts'
import { roleLabel, useViewedRole } from '../../api/use-obstacle.ts'
import { useT } from '../../lib/i18n.ts'
import { phoneQuery, useMedia } from '../../lib/hooks/use-media.ts'
import { Button } from '../../ui/button.tsx'
import { showToast } from '../../ui/feedback/toast.ts'

export function ViewingBar() {
  const t = useT()
  const cache = useQueryClient()
  const viewedRole = useViewedRole()
  const isCompact = useMedia(phoneQuery)
  if (!viewedRole) return null
  const role = t(roleLabel(viewedRole))
  const stopViewing = () => {
    void viewAs(cache, undefined)
    showToast({ kind: 'success', title: t('app.viewingEnded') })
    // The pressed button disappears with the bar of the viewed role, so the page takes the focus.
    document.getElementById('main')?.focus({ preventScroll: true })
  }
  return (
    <section
      data-viewing=""
      aria-label={t('app.viewing', { role })}
      className="flex h-(--viewing-h) items-center gap-2.5 border-y border-line bg-warning-soft px-6 text-warning-text max-md:px-3.5"
    >
      <Eye size={17} aria-hidden className="shrink-0" />
      <p className="min-w-0 flex-1 text-sm leading-tight font-medium">
        {isCompact ? t('app.viewingBrief', { role }) : `${t('app.viewing', { role })} ${t('app.viewingReadOnly')}`}
      </p>
      <Button
        aria-label={t('app.viewingStop')}
        onClick={stopViewing}
        className="min-h-8! shrink-0 py-0! text-sm! max-md:min-h-11!"
      >
        {t(isCompact ? 'app.viewingStopBrief' : 'app.viewingStop')}
      </Button>
    </section>
  )
}
