/**
 * Rooms and messages as the chat endpoints return them, with query key and fetcher of each endpoint (contract
 * §11).
 */
import {
  type ChatAttachment,
  type ChatMessage,
  type ChatPerson,
  type Entry,
  fromWire,
  type Locale,
  type OwnRooms,
  type RoomRow,
} from '@dala/model'
import { infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query'
import { callServer } from '../../api/client.ts'
import { isConnected } from '../../api/connection.ts'
import { callRoute } from '../../api/route.ts'
import { type DeskSearch, toRoomsQuery } from './desk-search.ts'
import type { Reader } from './reader.ts'

/** Person in a chat room, as the desk shows them. */
export type RoomPerson = Omit<ChatPerson, 'avatar'> & {
  avatar?: { url: string | null } | null
  /** Field of a person that the server sends only to staff; other users get the person's contact card. */
  phone?: string | null
}

export type Room = RoomRow
export type RoomsPage = OwnRooms
export type Attachment = ChatAttachment
export type Message = ChatMessage

/** Whether an attachment is a picture; drafts of earlier panels have no type, and pictures only. */
export const isPicture = ({ mime }: Attachment): boolean => mime?.startsWith('image/') ?? true

/** Fields of a chat room's row that its links do not replace. */
type RoomValues = Omit<Room, 'sender' | 'receiver' | 'assignee' | 'tags'>

/** Single chat room with its links. */
export interface OpenRoom extends RoomValues {
  sender: RoomPerson
  receiver: RoomPerson | null
  assignee: RoomPerson | null
  version: number
  /** `seq` of the first message the user has not read; null when there is none. */
  first_unread_seq?: number | null
  last_seq?: number
  can_write?: boolean
  cannot_write_reason?: string | null
  region: Entry | null
  category: Entry | null
  tags: Entry[]
}

/** Link in a record that is wrapped on the wire. */
interface WrappedLink<T> {
  data: ({ id: number } & { attributes: T }) | null
}
const unwrapLink = <T extends object>({ data }: WrappedLink<T>): (T & { id: number }) | null =>
  data && { ...data.attributes, id: data.id }

type WirePerson = Omit<RoomPerson, 'id' | 'avatar'> & { avatar?: WrappedLink<{ url: string | null }> }

function personOf(link: WrappedLink<WirePerson>): RoomPerson | null {
  const person = unwrapLink(link)
  return person && { ...person, avatar: person.avatar ? unwrapLink(person.avatar) : null }
}

type WireRecord = Readonly<Record<string, unknown>>
interface WireRoom extends Omit<RoomValues, 'id'> {
  version: number
  sender: WrappedLink<WirePerson>
  receiver: WrappedLink<WirePerson>
  assignee: WrappedLink<WirePerson>
  region: WrappedLink<WireRecord>
  category: WrappedLink<WireRecord>
  tags: { data: { id: number; attributes: WireRecord }[] }
}

/** Placeholder for a person whose account was deleted. */
const unknownPerson: RoomPerson = { id: 0, username: '—', first_name: null, last_name: null }

export const chatKeys = {
  rooms: ['resource', 'chatrooms', 'desk'],
  unread: ['resource', 'chatrooms', 'unread'],
  room: (id: number) => ['resource', 'chatrooms', 'open', id],
} as const

/** Milliseconds between requests for rooms without a socket, while the page is visible. */
export const pollInterval = 15_000
const pollIntervalNow = () => (isConnected() ? false : pollInterval)

/** Query of the desk's chat rooms, paginated. */
export const roomsQuery = (search: DeskSearch, reader: Reader) =>
  infiniteQueryOptions({
    queryKey: [...chatKeys.rooms, toRoomsQuery(search, reader)],
    queryFn: ({ pageParam, signal }) =>
      callRoute('GET /api/get_customized_rooms', {
        query: { ...toRoomsQuery(search, reader), pagination: { page: pageParam, pageSize: 30 } },
        signal,
      }),
    initialPageParam: 1,
    getNextPageParam: ({ pagination: { page, pageCount = 0 } }) => (page < pageCount ? page + 1 : undefined),
    placeholderData: keepPreviousData,
    refetchInterval: pollIntervalNow,
    refetchOnMount: 'always',
    refetchOnWindowFocus: 'always',
    meta: { inPlace: true, hearsItself: true },
  })

const avatarPopulate = { populate: 'avatar' }

/** One room with its people; `locale` selects the language of its region and category. */
export const roomQuery = (id: number, locale: Locale) =>
  queryOptions({
    queryKey: [...chatKeys.room(id), locale],
    queryFn: async ({ signal }): Promise<OpenRoom> => {
      const populate = {
        sender: avatarPopulate,
        receiver: avatarPopulate,
        assignee: avatarPopulate,
        // The region's names in all languages are requested, because a canned reply has a language of its
        // own.
        region: { populate: 'localizations' },
        category: true,
        tags: true,
      }
      const { data } = await callServer<{ data: { id: number; attributes: WireRoom } }>('GET', `/chatrooms/${id}`, {
        query: { populate, locale },
        signal,
      })
      const { sender, receiver, assignee, region, category, tags, ...room } = data.attributes
      return {
        ...room,
        id: data.id,
        sender: personOf(sender) ?? unknownPerson,
        receiver: personOf(receiver),
        assignee: personOf(assignee),
        region: region.data && fromWire(region.data),
        category: unwrapLink(category),
        tags: tags.data.map((tag) => ({ ...tag.attributes, id: tag.id })),
      }
    },
    // A change of language keeps the open room, and with it the composer's text and open dialogs.
    placeholderData: (formerRoom): OpenRoom | undefined => (formerRoom?.id === id ? formerRoom : undefined),
    refetchOnMount: 'always',
    refetchInterval: pollIntervalNow,
    refetchOnWindowFocus: 'always',
    meta: { inPlace: true, hearsItself: true },
  })
