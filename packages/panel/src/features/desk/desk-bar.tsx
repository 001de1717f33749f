/** The bar that saves a translation: what stopped the last save, what is unsaved, save, and save with the next one following. */
import type { Screen } from '@dala/model'
import ArrowDown from 'lucide-react/icons/arrow-down'
import Check from 'lucide-react/icons/check'
import { useT } from '../../lib/i18n.ts'
import { capsOf, shortcuts } from '../../lib/shortcuts.ts'
import { useOnline } from '../../lib/use-online.ts'
import { SaveFailureNotice } from '../../resource/form-failure-notice.tsx'
import type { ResourceForm } from '../../resource/use-resource-form.ts'
import { useSecondsUntil } from '../../resource/use-seconds-until.ts'
import { Button } from '../../ui/button.tsx'

interface DeskBarProps {
  screen: Screen
  form: ResourceForm
  hasNext: boolean
  /** Saves what was typed, then goes on. */
  onNext: () => void
}

export function DeskBar({ screen, form, hasNext, onNext }: DeskBarProps) {
  const t = useT()
  const online = useOnline()
  const { isDirty, save, failure, isLocked } = form
  const wait = useSecondsUntil(failure?.kind === 'busy' ? failure.until : undefined)
  const isGone = failure?.kind === 'gone' && failure.isWhole
  const canSave = online && wait === 0 && !isGone && isDirty && !isLocked
  const words = !online ? t('app.offline') : isDirty ? t('form.unsaved') : t('form.saved')
  return (
    <div
      data-save-bar
      className="sticky bottom-0 z-10 rounded-b-3 border-t border-line bg-surface px-6 py-3 max-md:fixed max-md:inset-x-0 max-md:z-[21] max-md:rounded-none max-md:px-3.5 max-md:pb-[max(12px,env(safe-area-inset-bottom))]"
    >
      {failure ? (
        <SaveFailureNotice
          screen={screen}
          form={form}
          failure={failure}
          wait={wait}
          onSaveAsNew={() => void form.submit({ asNew: true })}
        />
      ) : null}
      <div className="flex flex-wrap items-center justify-end gap-x-3 gap-y-2">
        <output className="min-w-0 flex-1 leading-tight text-muted max-md:w-full max-md:flex-none max-md:text-sm">
          {isLocked ? t('form.readOnly') : words}
        </output>
        <Button kind="quiet" disabled={!isDirty || save.isPending} onClick={form.discard}>
          {t('form.discard')}
        </Button>
        <Button
          type="submit"
          kind={hasNext ? 'plain' : 'primary'}
          busy={save.isPending}
          disabled={!canSave}
          icon={<Check size={17} aria-hidden />}
        >
          {t('action.save')}
        </Button>
        {hasNext ? (
          <Button
            kind="primary"
            aria-keyshortcuts={shortcuts.desk.next.flatMap(capsOf).join('+').replace('↓', 'ArrowDown')}
            disabled={save.isPending || (isDirty && !canSave)}
            icon={<ArrowDown size={17} aria-hidden />}
            onClick={onNext}
          >
            {t(isDirty ? 'desk.saveAndNext' : 'desk.next')}
          </Button>
        ) : null}
      </div>
    </div>
  )
}
