/** Field for the folder of a picture: none, an existing one, or a new one by its name. */
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { cleanFolder, foldersOf } from '../../fields/picture/library/folder-names.ts'
import { foldersQuery } from '../../fields/picture/library/api.ts'
import { compareText } from '../../lib/format.ts'
import { useLocale, useT } from '../../lib/i18n.ts'
import { Field } from '../../ui/inputs/field.tsx'
import { Input } from '../../ui/inputs/input.tsx'
import { Select } from '../../ui/inputs/select.tsx'

interface FolderFieldProps {
  /** Name of the chosen folder; empty for no folder. */
  value: string
  /** Called with the chosen folder; `isNamed` is false while a new folder has no name yet. */
  onChange: (folder: string, isNamed: boolean) => void
}

const noFolderValue = '/none'
const newFolderValue = '/new'

export function FolderField({ value, onChange }: FolderFieldProps) {
  const t = useT()
  const locale = useLocale()
  const { data = [] } = useQuery(foldersQuery)
  const [isNew, setNew] = useState(false)
  const [isLeft, setLeft] = useState(false)
  const [newPath, setNewPath] = useState('')
  const paths = foldersOf(data, (left, right) => compareText(locale, left, right)).map(({ path }) => path)
  // The chosen folder is an option too, even if it is a new one or the list of folders is not loaded yet.
  if (value !== '' && !paths.includes(value) && !isNew) paths.push(value)
  return (
    <div className="grid gap-2.5">
      <Field label={t('field.folder')}>
        <Select
          value={isNew ? newFolderValue : value || noFolderValue}
          onValueChange={(chosenFolder) => {
            setNew(chosenFolder === newFolderValue)
            if (chosenFolder === newFolderValue) onChange(cleanFolder(newPath), cleanFolder(newPath) !== '')
            else onChange(chosenFolder === noFolderValue ? '' : chosenFolder, true)
          }}
          choices={[
            { value: noFolderValue, label: t('library.noFolder') },
            ...paths.map((path) => ({ value: path, label: path })),
            { value: newFolderValue, label: t('library.newFolder') },
          ]}
        />
      </Field>
      {isNew ? (
        <Field
          label={t('library.newFolderName')}
          help={t('library.folderHelp')}
          error={isLeft && cleanFolder(newPath) === '' ? t('library.folderNeeded') : undefined}
        >
          <Input
            value={newPath}
            maxLength={200}
            onChange={({ target }) => {
              setNewPath(target.value)
              onChange(cleanFolder(target.value), cleanFolder(target.value) !== '')
            }}
            onBlur={() => setLeft(true)}
          />
        </Field>
      ) : null}
    </div>
  )
}
