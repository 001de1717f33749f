/** What the screens of people read of an account, and who the reader is beside it. */
import { type Entry, rankOf, type RoleType, roleTypes } from '@dala/model'
import { useQuery } from '@tanstack/react-query'
import { meQuery } from '../../api/session.ts'

export const textOf = (value: unknown): string => (typeof value === 'string' ? value : '')

/** One linked record that came with the account. */
export function linked(value: unknown): Entry | undefined {
  return typeof value === 'object' && value !== null && 'id' in value && typeof value.id === 'number'
    ? { ...value, id: value.id }
    : undefined
}

export function linkedList(value: unknown): Entry[] {
  return Array.isArray(value) ? value.flatMap((one: unknown) => linked(one) ?? []) : []
}

const isRole = (value: unknown): value is RoleType => roleTypes.some((type) => type === value)

/** The role of an account that was loaded with it. */
export function roleOf(record: Entry): RoleType | undefined {
  const type = linked(record.role)?.type
  return isRole(type) ? type : undefined
}

/** Invited, and has not chosen a password yet: an account that registered itself was signed in from the start. */
export const isInvited = (record: Entry): boolean => record.confirmed === false && record.last_seen_at === null

/** The reader beside an account: whether it is his own, and whether he works here. */
export function useReader(record: Entry | null): { isSelf: boolean; isStaff: boolean } {
  const { data: me } = useQuery(meQuery)
  return {
    isSelf: me !== undefined && record !== null && record.id === me.id,
    isStaff: rankOf(me?.role?.type ?? 'public') >= rankOf('admin'),
  }
}
