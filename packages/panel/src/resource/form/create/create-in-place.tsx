/** Lets the relation pickers of a form create a missing record; the dialog is loaded on first use. */
import { type Entry, type Locale, type Resource, type Screen, screensOf } from '@dala/model'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useCallback, useState } from 'react'
import { meQuery } from '../../../api/session.ts'
import { MakeInPlaceContext } from '../../../fields/relation/related-scope.ts'
import { grantForUser } from '../../use-may.ts'
import { lazyPart } from '../../../ui/lazy-part.ts'
import { AwaitedPart } from '../../../ui/awaited.tsx'

const CreateDialog = lazyPart(async () => (await import('./create-dialog.tsx')).CreateDialog)

interface CreateRequest {
  screen: Screen
  text: string
  onCreated: (entry: Entry) => void
}

/** The screen whose form creates records of a target; only resources with a list of their own have one. */
const screenOf = (target: Resource): Screen | undefined =>
  target.single || target.fixedRows || target.unwrapped
    ? undefined
    : screensOf(target).find(({ fixedValues }) => !fixedValues)

export function CreateInPlace({ language, children }: { language: Locale; children: ReactNode }) {
  const { data: me } = useQuery(meQuery)
  const [request, setRequest] = useState<CreateRequest | null>(null)
  // The function that creates records stays the same for a user: a new one would render all pickers of the
  // form.
  const creatorOf = useCallback(
    (target: Resource) => {
      const screen = screenOf(target)
      if (!screen || !me || grantForUser(target, 'create', me) === false) return undefined
      return (text: string, onCreated: (entry: Entry) => void) => setRequest({ screen, text, onCreated })
    },
    [me],
  )
  return (
    <>
      <MakeInPlaceContext value={creatorOf}>{children}</MakeInPlaceContext>
      {request && me ? (
        <AwaitedPart onGiveUp={() => setRequest(null)}>
          <CreateDialog {...request} me={me} language={language} onClose={() => setRequest(null)} />
        </AwaitedPart>
      ) : null}
    </>
  )
}
