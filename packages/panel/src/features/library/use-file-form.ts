/** The form of one file: stored values, a draft that survives a reload, and saving. */
import type { Entry } from '@dala/model'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { meQuery } from '../../api/session.ts'
import { fileQuery, saveFile } from '../../fields/picture/library/api.ts'
import { useT } from '../../lib/i18n.ts'
import { showToast } from '../../ui/feedback/toast.ts'
import { changesOf, draftOf, type FileDraft, infoOf } from './file-draft.ts'
import { readEdits, storeEdits } from './file-edits.ts'

interface FormState {
  id: number | undefined
  edits: Partial<FileDraft>
  /** Whether the chosen new folder has no name yet. */
  isUnnamed: boolean
}

/** `knownFile` is the file from the list of pictures, used until the file itself is loaded. */
export function useFileForm(id: number | undefined, knownFile: Entry | undefined) {
  const t = useT()
  const cache = useQueryClient()
  const query = useQuery({
    ...fileQuery(id ?? 0),
    enabled: id !== undefined,
    ...(knownFile && { placeholderData: knownFile }),
  })
  const file = id === undefined ? undefined : query.data
  const { data: me } = useQuery(meQuery)
  const user = me?.id
  const emptyState: FormState = { id, edits: {}, isUnnamed: false }
  const [state, setState] = useState<FormState>({ id: undefined, edits: {}, isUnnamed: false })
  const isOpen = state.id === id
  const currentState = isOpen ? state : { ...emptyState, edits: user && id ? readEdits(user, id) : {} }
  if (user && !isOpen) setState(currentState)
  const { edits } = currentState
  useEffect(() => {
    if (user && id && state.id === id) storeEdits(user, id, state.edits)
  }, [user, id, state])
  const draft = file && { ...draftOf(file), ...edits }
  const changes = file ? changesOf(file, edits) : {}
  const save = useMutation({
    meta: { inPlace: true },
    mutationFn: ({ to, sent }: { to: number; sent: Partial<FileDraft> }) => saveFile(to, infoOf(sent)),
    onSuccess: (entry, { to, sent }) => {
      cache.setQueryData(fileQuery(to).queryKey, entry)
      // Text typed during the save is not saved yet, so only the sent values are removed from the draft.
      const isSent = ([name, value]: [string, unknown]) =>
        Object.entries(sent).some(([sentName, savedValue]) => sentName === name && savedValue === value)
      setState((now) =>
        now.id === to
          ? { ...now, edits: Object.fromEntries(Object.entries(now.edits).filter((pair) => !isSent(pair))) }
          : now,
      )
      // Another file may be open by the time the save ends.
      if (user && to !== id) storeEdits(user, to, {})
      showToast({ kind: 'success', title: t('message.saved') })
      void cache.invalidateQueries({ queryKey: ['resource'] })
    },
  })
  const setValues = (newValues: Partial<FileDraft>) =>
    setState((now) => ({ ...now, id, edits: { ...now.edits, ...newValues } }))
  return {
    file,
    error: query.error,
    retry: () => void query.refetch(),
    draft,
    isDirty: Object.keys(changes).length > 0,
    /** Whether the form of the file has a field that is not ready to be saved. */
    isUnready: currentState.isUnnamed,
    set: setValues,
    setFolder: (folder: string, isNamed: boolean) => {
      setValues(isNamed ? { folder } : {})
      setState((now) => ({ ...now, isUnnamed: !isNamed }))
    },
    save: () => id !== undefined && save.mutate({ to: id, sent: changes }),
    isSaving: save.isPending,
    failure: save.variables?.to === id ? save.error : null,
    discardDraft: () => {
      save.reset()
      setState(emptyState)
    },
  }
}

export type FileForm = ReturnType<typeof useFileForm>
