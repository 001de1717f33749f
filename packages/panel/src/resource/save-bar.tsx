/** The one bar that saves a form: what is unsaved, discard, save. */
import Check from 'lucide-react/icons/check'
import { cx } from '../lib/class-names.ts'
import { useT } from '../lib/i18n.ts'
import { phone, useMedia } from '../lib/use-media.ts'
import { useOnline } from '../lib/use-online.ts'
import { Button } from '../ui/button.tsx'
import type { ResourceForm } from './use-resource-form.ts'

export function SaveBar({ form, isNew }: { form: ResourceForm; isNew: boolean }) {
  const t = useT()
  const online = useOnline()
  const { isDirty, save } = form
  // The long label leaves no room for the state beside it.
  const short = useMedia(phone)
  return (
    <div className="save-bar flex items-center gap-3 border-t border-line bg-surface px-6 py-3 max-md:px-3.5">
      <output className="flex min-w-0 flex-1 items-center gap-2.5 text-muted max-md:text-sm">
        <i aria-hidden className={cx('size-2 shrink-0 rounded-full', isDirty ? 'bg-warning' : 'bg-line-strong')} />
        <span className="line-clamp-2 leading-tight">
          {!online ? t('app.offline') : isDirty ? t('form.unsaved') : isNew ? '' : t('form.saved')}
        </span>
      </output>
      <Button kind="quiet" disabled={!isDirty || save.isPending} onClick={form.discard}>
        {t('form.discard')}
      </Button>
      <Button
        kind="primary"
        type="submit"
        busy={save.isPending}
        disabled={!online || (!isDirty && !isNew)}
        icon={<Check size={17} aria-hidden />}
      >
        {t(isNew || short ? 'action.save' : 'form.saveChanges')}
      </Button>
    </div>
  )
}
