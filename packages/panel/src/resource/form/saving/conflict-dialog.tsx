/**
 * Conflicting changes of two people side by side: the user chooses for each field, with nothing preselected.
 */
import type { Entry, Resource } from '@dala/model'
import { useQuery } from '@tanstack/react-query'
import { type RefObject, useId, useRef, useState } from 'react'
import { nameOfPerson } from '../../../api/error-toasts.ts'
import { meQuery, nameOfUser } from '../../../api/session.ts'
import type { RelatedScope } from '../../../fields/relation/related-scope.ts'
import { cx } from '../../../lib/class-names.ts'
import { useT } from '../../../lib/i18n.ts'
import { Button, LinkButton } from '../../../ui/button.tsx'
import { Dialog } from '../../../ui/overlays/dialog.tsx'
import { labelOfPlace } from './saved.ts'
import { FullValue } from '../../history/full-value.tsx'
import { lastRevision } from '../../history/queries.ts'
import { type Conflict, keyOfPlace, type ConflictSide } from './merge.ts'
import type { ResourceForm } from '../use-resource-form.ts'

interface ConflictDialogProps {
  form: ResourceForm
  record: Entry | null
  /** Called when a field is still wrong after the user's choices in the dialog. */
  onWrong: (name: string | undefined) => void
}

export function ConflictDialog({ form, record, onWrong }: ConflictDialogProps) {
  const t = useT()
  const { resource, conflicts } = form
  const [choices, setChoices] = useState<Readonly<Record<string, ConflictSide>>>({})
  const { data: me } = useQuery(meQuery)
  const editorName = nameOfPerson(form.refusedBy)
  // Each language of a record has a separate version history.
  const [{ locale } = { locale: undefined }] = conflicts.open
  const recordId = (locale && form.family.get(locale)?.id) ?? record?.id
  const { data: newestRevision } = useQuery({
    queryKey: ['resource', resource.name, 'last', recordId],
    queryFn: async () => (await lastRevision(resource, recordId ?? 0)) ?? null,
    enabled: editorName === undefined && recordId !== undefined,
    meta: { inPlace: true },
  })
  const names = {
    mine: me ? t('conflict.mine', { name: nameOfUser(me) }) : t('conflict.own'),
    theirs: editorName ?? nameOfPerson(newestRevision?.by) ?? t('conflict.colleague'),
  }
  const firstInput = useRef<HTMLInputElement>(null)
  const openConflicts = conflicts.open
  const openCount = openConflicts.filter((conflict) => !choices[keyOfPlace(conflict)]).length
  const chooseAllFields = (chosenSide: ConflictSide) =>
    setChoices(Object.fromEntries(openConflicts.map((conflict) => [keyOfPlace(conflict), chosenSide])))
  return (
    <Dialog
      isWide
      open
      onOpenChange={(isOpen) => !isOpen && conflicts.leave()}
      title={t('conflict.title')}
      description={t('conflict.text')}
      initialFocus={firstInput}
      actions={
        <>
          <output className="me-auto self-center text-sm text-muted">
            {openCount > 0 ? t('conflict.left', { count: openCount }) : t('conflict.allChosen')}
          </output>
          <Button onClick={conflicts.leave}>{t('action.cancel')}</Button>
          <Button
            kind="primary"
            disabled={openCount > 0 && t('conflict.left', { count: openCount })}
            onClick={() => onWrong(conflicts.choose(choices))}
          >
            {t('conflict.save')}
          </Button>
        </>
      }
    >
      {openConflicts.length > 1 ? (
        <div className="mb-3 flex flex-wrap gap-x-5 gap-y-1">
          <LinkButton onClick={() => chooseAllFields('mine')}>{t('conflict.allMine')}</LinkButton>
          <LinkButton onClick={() => chooseAllFields('theirs')}>{t('conflict.allTheirs')}</LinkButton>
        </div>
      ) : null}
      <div className="grid gap-5">
        {openConflicts.map((conflict, index) => {
          const key = keyOfPlace(conflict)
          return (
            <Choice
              key={key}
              resource={resource}
              conflict={conflict}
              names={names}
              shown={form.shown}
              first={index === 0 ? firstInput : undefined}
              choice={choices[key]}
              onChoose={(chosenSide) => setChoices({ ...choices, [key]: chosenSide })}
            />
          )
        })}
      </div>
    </Dialog>
  )
}

interface ChoiceProps {
  resource: Resource
  conflict: Conflict
  names: Readonly<Record<ConflictSide, string>>
  shown: RelatedScope['shown']
  /** First control of the dialog that asks about conflicting values. */
  first: RefObject<HTMLInputElement | null> | undefined
  choice: ConflictSide | undefined
  onChoose: (chosenSide: ConflictSide) => void
}

/** Choice between both values of a form field in conflict. */
function Choice({ resource, conflict, names, shown, first, choice, onChoose }: ChoiceProps) {
  const id = useId()
  const { field, locale } = conflict
  return (
    <fieldset>
      <legend className="mb-1.5 font-semibold">{labelOfPlace(resource, conflict)}</legend>
      <div className="grid gap-2.5 md:grid-cols-2">
        {(['mine', 'theirs'] as const).map((offeredSide) => (
          <label
            key={offeredSide}
            className={cx(
              'block min-w-0 cursor-pointer rounded-2 border p-3 has-focus-visible:outline-2 has-focus-visible:outline-offset-2 has-focus-visible:outline-focus',
              choice === offeredSide ? 'border-brand bg-brand-soft' : 'border-line-strong hover:bg-hover',
            )}
          >
            <span className="flex min-h-6 items-center gap-2 text-sm font-medium">
              <input
                ref={offeredSide === 'mine' ? first : undefined}
                type="radio"
                name={id}
                checked={choice === offeredSide}
                onChange={() => onChoose(offeredSide)}
                className="size-4 shrink-0 accent-(--brand)"
                aria-describedby={`${id}-${offeredSide}`}
                aria-label={names[offeredSide]}
              />
              {names[offeredSide]}
            </span>
            <span id={`${id}-${offeredSide}`} className="mt-2 block text-ink">
              <FullValue resource={resource} name={field} value={conflict[offeredSide]} lang={locale} shown={shown} />
            </span>
          </label>
        ))}
      </div>
    </fieldset>
  )
}
