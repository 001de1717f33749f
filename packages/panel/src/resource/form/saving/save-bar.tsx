/** The one bar that saves a form: what stopped the last save, what is unsaved, discard, save. */
import type { Screen } from '@dala/model'
import Check from 'lucide-react/icons/check'
import ChevronUp from 'lucide-react/icons/chevron-up'
import Languages from 'lucide-react/icons/languages'
import Plus from 'lucide-react/icons/plus'
import { useObstacle } from '../../../api/use-obstacle.ts'
import { cx } from '../../../lib/class-names.ts'
import { useT } from '../../../lib/i18n.ts'
import { narrow, phone, useMedia } from '../../../lib/hooks/use-media.ts'
import { Button } from '../../../ui/button.tsx'
import { IconButton } from '../../../ui/icon-button.tsx'
import { Menu } from '../../../ui/overlays/menu.tsx'
import { waitWords } from './failure.ts'
import { SaveFailureNotice } from './failure-notice.tsx'
import { useSecondsUntil } from '../../retry-after.ts'
import type { ResourceForm } from '../use-resource-form.ts'

interface SaveBarProps {
  screen: Screen
  form: ResourceForm
  isNew: boolean
  /** Saves, then starts another one. */
  onSaveAndNew: () => void
  /** Saves, then goes to the language that is written next; absent where there is one only. */
  onSaveAndNext: (() => void) | undefined
  /** What is in the form becomes a record of its own, after the old one was deleted. */
  onSaveAsNew: () => void
}

export function SaveBar({ screen, form, isNew, onSaveAndNew, onSaveAndNext, onSaveAsNew }: SaveBarProps) {
  const t = useT()
  const obstacle = useObstacle()
  const { isDirty, save, failure, isLocked } = form
  // The long label leaves no room for the state beside it.
  const short = useMedia(phone)
  // Nor do the further ways to save.
  const isNarrow = useMedia(narrow)
  const wait = useSecondsUntil(failure?.kind === 'busy' ? failure.until : undefined)
  if (isLocked && !failure) return null
  const isGone = failure?.kind === 'gone' && failure.isWhole
  const uploading = form.isUploading ? t('chat.uploading') : undefined
  const held = obstacle ?? waitWords(t, wait, isGone) ?? uploading
  const heldOrSame = held ?? (!isDirty && !isNew && t('form.nothingChanged'))
  // Beside the button that saves: while it is at it, the others wait.
  const saving = save.isPending && t('form.isSaving')
  const words = obstacle ?? uploading ?? (isDirty ? t('form.unsaved') : isNew ? '' : t('form.saved'))
  const isImplied = short && isDirty && !obstacle && !uploading
  return (
    <div className="save-bar border-t border-line bg-surface px-6 py-3 max-md:px-3.5">
      {failure ? (
        <SaveFailureNotice screen={screen} form={form} failure={failure} wait={wait} onSaveAsNew={onSaveAsNew} />
      ) : null}
      {isLocked ? null : (
        <div className="flex flex-wrap items-center justify-end gap-x-3 gap-y-2">
          {/* On a phone beside three buttons there is room for half a sentence: that there is something to save, they say. */}
          <output
            className={cx(
              'flex flex-1 items-center gap-2.5 text-muted max-md:text-sm',
              words === '' || isImplied ? 'min-w-0' : 'min-w-40',
            )}
          >
            {words === '' ? null : (
              <i
                aria-hidden
                className={cx('size-2 shrink-0 rounded-full', isDirty || uploading ? 'bg-warning' : 'bg-line-strong')}
              />
            )}
            <span className={isImplied ? 'sr-only' : 'leading-tight'}>{words}</span>
          </output>
          {isDirty || !short ? (
            <Button kind="quiet" disabled={saving || (!isDirty && t('form.nothingChanged'))} onClick={form.discard}>
              {t('form.discard')}
            </Button>
          ) : null}
          {onSaveAndNext && !isNarrow ? (
            <Button disabled={saving || held} icon={<Languages size={17} aria-hidden />} onClick={onSaveAndNext}>
              {t('form.saveAndNext')}
            </Button>
          ) : null}
          {isNew && !isNarrow ? (
            <Button disabled={saving || heldOrSame} icon={<Plus size={17} aria-hidden />} onClick={onSaveAndNew}>
              {t('action.saveAndAddAnother')}
            </Button>
          ) : null}
          <Button
            // Without anything to save there is nothing to draw the eye to.
            kind={isDirty || isNew ? 'primary' : 'plain'}
            type="submit"
            busy={save.isPending}
            disabled={heldOrSame}
            icon={<Check size={17} aria-hidden />}
          >
            {t(isNew || short ? 'action.save' : 'form.saveChanges')}
          </Button>
          {(isNew || onSaveAndNext) && isNarrow ? (
            <Menu
              trigger={
                <IconButton
                  label={t('form.moreSaving')}
                  icon={<ChevronUp size={18} aria-hidden />}
                  disabled={saving || (onSaveAndNext ? held : heldOrSame)}
                />
              }
            >
              {({ Item }) => (
                <>
                  {onSaveAndNext ? (
                    <Item icon={<Languages size={16} aria-hidden />} onClick={onSaveAndNext}>
                      {t('form.saveAndNext')}
                    </Item>
                  ) : null}
                  {isNew ? (
                    <Item icon={<Plus size={16} aria-hidden />} onClick={onSaveAndNew}>
                      {t('action.saveAndAddAnother')}
                    </Item>
                  ) : null}
                </>
              )}
            </Menu>
          ) : null}
        </div>
      )}
    </div>
  )
}
