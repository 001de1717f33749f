/** Rules of trading posts: what a decision sets, what an edit of a public post means, one appeal (content-model §8, market §7). */
import { fault, rankOf } from '@dala/model'
import { differences } from '../changes.ts'
import { resourceNamed } from '../attributes.ts'
import type { Behaviour, Facts, SettledWrite } from './behaviour.ts'

/** Days that a post is public for. */
const publicDays = 30

/** What buyers rely on: a change of it is looked at again. */
const material = [
  'title',
  'description',
  'price',
  'unit',
  'phone',
  'tradingpostcategory',
  'tradingposttype',
  'images',
  'mainPhoto',
]

/** The end of the public time that begins now. */
function expiry(now: string): string {
  return new Date(Date.parse(now) + publicDays * 86_400_000).toISOString()
}

/** Whether a write changes what buyers rely on. */
function isMaterial({ operation, values, before, lists }: SettledWrite): boolean {
  // What lay in the trash is looked at again: its pictures and what it points at may be others by now.
  if (operation === 'translate' || operation === 'restore') return true
  const changed = [...Object.keys(differences(resourceNamed('tradinposts'), { ...values }, before ?? {})), ...lists]
  return changed.some((name) => material.includes(name))
}

/** The status after a write of the author or of a moderator. */
function nextStatus(write: SettledWrite): unknown {
  const { values, before, caller } = write
  const [from, wanted] = [before?.status, values.status ?? before?.status]
  const isModerator = rankOf(caller.role) >= rankOf('admin')
  // What nobody has looked at is not public: the post waits for a moderator, whatever else the write asks for.
  const isSeen = wanted === 'processed' && (from === 'processed' || from === 'expired')
  if (!isModerator && isSeen && isMaterial(write)) return 'on_hold'
  if (!isModerator && from === 'expired' && wanted === 'expired' && isMaterial(write)) return 'on_hold'
  return wanted
}

/** What comes with a change of the status. */
function consequences(from: unknown, to: unknown, { values, before, caller, now }: SettledWrite): Facts {
  const isModerator = rankOf(caller.role) >= rankOf('admin')
  const decided = isModerator ? { moderated_by: caller.id } : {}
  switch (to) {
    case 'processed':
      // The reason of an earlier refusal has nothing to say of a post that is public.
      return { ...decided, expires_at: expiry(now), ...(!('reason' in values) && { reason: null }) }
    case 'on_hold': {
      if (from !== 'rejected') return { ...decided, expires_at: null }
      if (before?.appealed_at !== null) {
        throw fault('state.step', {
          params: { field: 'status', from: 'rejected', to: 'on_hold' },
          details: { from, to, allowed: [] },
        })
      }
      return { ...decided, appealed_at: now, expires_at: null }
    }
    case 'expired':
      return {}
    default:
      return { ...decided, expires_at: null }
  }
}

export const tradingPostBehaviour: Behaviour = {
  settle(write) {
    const { operation, before, values, trusted, now } = write
    if (operation === 'remove') return undefined
    if (!before || trusted) {
      // The program sets what it wants; a post that it makes public has its end all the same.
      const isPublic = trusted && values.status === 'processed' && before?.status !== 'processed'
      return isPublic && !values.expires_at ? { expires_at: expiry(now) } : undefined
    }
    const [from, to] = [before.status, nextStatus(write)]
    return to === from ? undefined : { status: to, ...consequences(from, to, write) }
  },
}
