/** Asks for the group to move a lesson to. */
import type { Outline, OutlineLesson } from '@dala/model/api/learning'
import { useState } from 'react'
import { useT } from '../../../lib/i18n.ts'
import { Button } from '../../../ui/button.tsx'
import { Dialog } from '../../../ui/overlays/dialog.tsx'
import { Field } from '../../../ui/inputs/field.tsx'
import { Select } from '../../../ui/inputs/select.tsx'
import type { MovedItem } from './actions.ts'
import { type Move, moveLessonTo, placeOf } from './tree.ts'

interface MoveToGroupProps {
  outline: Outline
  /** Lesson to move; null closes the dialog. */
  lesson: OutlineLesson | null
  onClose: () => void
  onMove: (move: Move, item: MovedItem) => void
}

/** Option for no group; no group has this id. */
const noGroup = 0

export function MoveToGroup({ outline, lesson, onClose, onMove }: MoveToGroupProps) {
  const t = useT()
  const [chosenGroup, setChosenGroup] = useState<number | null>(null)
  const currentGroup = lesson ? (placeOf(outline, lesson.id)?.group?.id ?? noGroup) : noGroup
  const choices = [
    ...outline.groups.map(({ id, title, locale }) => ({ value: id, label: title, lang: locale })),
    { value: noGroup, label: t('learning.noGroup') },
  ].filter(({ value }) => value !== currentGroup)
  const close = () => {
    setChosenGroup(null)
    onClose()
  }
  const target = chosenGroup ?? choices[0]?.value ?? null
  return (
    <Dialog
      open={lesson !== null}
      onOpenChange={(open) => !open && close()}
      title={t('learning.moveToGroup')}
      description={lesson ? <span lang={lesson.locale}>{lesson.title}</span> : null}
      actions={
        <>
          <Button onClick={close}>{t('action.cancel')}</Button>
          <Button
            kind="primary"
            onClick={() => {
              if (lesson && target !== null) {
                const movedItem = { lesson: lesson.id, title: lesson.title }
                onMove(moveLessonTo(lesson.id, target === noGroup ? null : target), movedItem)
              }
              close()
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
