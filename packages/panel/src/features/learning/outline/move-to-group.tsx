/** Dialog that asks for the group to which lessons move. */
import type { Outline, OutlineLesson } from '@dala/model/api/learning'
import { useState } from 'react'
import { useT } from '../../../lib/i18n.ts'
import { Button } from '../../../ui/button.tsx'
import { Dialog } from '../../../ui/overlays/dialog.tsx'
import { Field } from '../../../ui/inputs/field.tsx'
import { Select } from '../../../ui/inputs/select.tsx'
import { placeOf } from './tree.ts'

interface MoveToGroupProps {
  outline: Outline
  /** Lessons to move; an empty list closes the dialog. */
  lessons: readonly OutlineLesson[]
  onClose: () => void
  /** Called with the lessons and the chosen group; null means no group. */
  onMove: (lessons: readonly OutlineLesson[], group: number | null) => void
}

/** Id of the option that means no group; stored groups never have this id. */
const noGroup = 0

export function MoveToGroup({ outline, lessons, onClose, onMove }: MoveToGroupProps) {
  const t = useT()
  const [chosenGroup, setChosenGroup] = useState<number | null>(null)
  const currentGroups = new Set(lessons.map(({ id }) => placeOf(outline, id)?.group?.id ?? noGroup))
  const choices = [
    ...outline.groups.map(({ id, title, locale }) => ({ value: id, label: title, lang: locale })),
    { value: noGroup, label: t('learning.noGroup') },
  ].filter(({ value }) => currentGroups.size > 1 || !currentGroups.has(value))
  const closeDialog = () => {
    setChosenGroup(null)
    onClose()
  }
  const isSingleLesson = lessons.length === 1 ? lessons[0] : undefined
  const target = chosenGroup ?? choices[0]?.value ?? null
  return (
    <Dialog
      open={lessons.length > 0}
      onOpenChange={(isOpen) => !isOpen && closeDialog()}
      title={t('learning.moveToGroup')}
      description={
        isSingleLesson ? (
          <span lang={isSingleLesson.locale}>{isSingleLesson.title}</span>
        ) : (
          t('learning.lessonCount', { count: lessons.length })
        )
      }
      actions={
        <>
          <Button onClick={closeDialog}>{t('action.cancel')}</Button>
          <Button
            kind="primary"
            onClick={() => {
              if (target !== null) onMove(lessons, target === noGroup ? null : target)
              closeDialog()
            }}
          >
            {t('learning.move')}
          </Button>
        </>
      }
    >
      <Field label={t('lessongroups.one')}>
        <Select value={target} onValueChange={setChosenGroup} choices={choices} />
      </Field>
    </Dialog>
  )
}
