/**
 * The bar that saves a translation: the last error, the unsaved state, save, and save with opening the next.
 */
import type { Screen } from '@dala/model'
import ArrowDown from 'lucide-react/icons/arrow-down'
import Check from 'lucide-react/icons/check'
import { useObstacle } from '../../api/use-obstacle.ts'
import { useT } from '../../lib/i18n.ts'
import { keyCapsOf, shortcuts } from '../../lib/keys/shortcuts.ts'
import { SaveFailureNotice } from '../../resource/form/saving/failure-notice.tsx'
import { waitText } from '../../resource/form/saving/failure.ts'
import type { ResourceForm } from '../../resource/form/use-resource-form.ts'
import { useSecondsUntil } from '../../resource/retry-after.ts'
import { Button } from '../../ui/button.tsx'

interface DeskBarProps {
  screen: Screen
  form: ResourceForm
  hasNext: boolean
  /** Saves typed text, then opens the next record to translate. */
  onNext: () => void
}

export function DeskBar({ screen, form, hasNext, onNext }: DeskBarProps) {
  const t = useT()
  const obstacle = useObstacle()
  const { isDirty, save, failure, isLocked } = form
  const wait = useSecondsUntil(failure?.kind === 'busy' ? failure.until : undefined)
  const isGone = failure?.kind === 'gone' && failure.isWhole
  const isHeld = isLocked ? t('form.readOnly') : (obstacle ?? waitText(t, wait, isGone))
  const statusText = isLocked ? isHeld : (obstacle ?? t(isDirty ? 'form.unsaved' : 'form.saved'))
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
          onSaveAsNew={() => void form.submit({ savesAsNew: true })}
        />
      ) : null}
      <div className="flex flex-wrap items-center justify-end gap-x-3 gap-y-2">
        <output className="min-w-0 flex-1 leading-tight text-muted max-md:w-full max-md:flex-none max-md:text-sm">
          {statusText}
        </output>
        <Button
          kind="quiet"
          disabled={save.isPending ? t('form.isSaving') : !isDirty && t('form.nothingChanged')}
          onClick={form.discardChanges}
        >
          {t('form.discard')}
        </Button>
        <Button
          type="submit"
          kind={hasNext ? 'plain' : 'primary'}
          isBusy={save.isPending}
          disabled={isHeld ?? (!isDirty && t('form.nothingChanged'))}
          icon={<Check size={17} aria-hidden />}
        >
          {t('action.save')}
        </Button>
        {hasNext ? (
          <Button
            kind="primary"
            aria-keyshortcuts={shortcuts.desk.next.flatMap(keyCapsOf).join('+').replace('↓', 'ArrowDown')}
            disabled={save.isPending ? t('form.isSaving') : isDirty && isHeld}
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
