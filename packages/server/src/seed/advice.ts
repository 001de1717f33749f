/** Seeds sample consultations in every status, and conversations of farmers with consultants. */
import { sql } from '../db/sql.ts'
import { usernameOf } from './accounts.ts'
import samples from './data/samples.json' with { type: 'json' }
import { minutesAfter, minutesOfDay } from './moments.ts'
import type { SeedRecord } from './records.ts'
import { waitTimesFrom } from '../domain/conversations/waits.ts'
import { seedStep, seedWaits, targetOf } from './replies.ts'
import type { Seeder } from './seeder.ts'

type Consultation = (typeof samples.consultations)[number]

/** Speciality of the consultant for each category of questions. */
const speciality: Readonly<Record<string, string>> = {
  'crop-cultivation': 'agronomy',
  'pests-diseases': 'plant-protection',
  fertilisation: 'agronomy',
  'soil-salinity': 'irrigation',
  water: 'irrigation',
  'animal-health': 'veterinary',
  'animal-feeding': 'livestock',
  'credit-subsidy': 'finance',
  'land-law': 'finance',
  taxes: 'finance',
  market: 'finance',
  machinery: 'agronomy',
  storage: 'agronomy',
  other: 'agronomy',
}

/** Topic of the conversation with the consultant of each speciality. */
const topic: Readonly<Record<string, string>> = {
  agronomy: 'crop-cultivation',
  'plant-protection': 'pests-diseases',
  irrigation: 'water',
  veterinary: 'animal-health',
  livestock: 'animal-feeding',
  finance: 'credit-subsidy',
}

/** Seeds sample questions, each of a farmer who speaks its language; the status follows from the record. */
export async function seedConsultations(seeder: Seeder): Promise<void> {
  const { calendar } = seeder
  const moveDate = calendar.mover(samples.consultations.map(({ createdAt }) => createdAt))
  for (const [index, sample] of samples.consultations.entries()) {
    const { status, answeredAfterMinutes, ...questionSample } = sample
    // Unanswered sample questions are from the last two days, and reopened ones slightly older.
    const waitsSince = answeredAfterMinutes === null ? 1 + (index % 2) : status === 'reopened' ? 4 : undefined
    const createdAt =
      waitsSince === undefined
        ? moveDate(questionSample.createdAt)
        : calendar.onDayBefore(waitsSince, questionSample.createdAt)
    const question = { ...questionSample, createdAt }
    const answeredAt =
      answeredAfterMinutes === null ? undefined : minutesAfter(question.createdAt, answeredAfterMinutes)
    await seeder.add('consultations', {
      ...question,
      ...(answeredAt !== undefined && stepsAfter(answeredAt, status)),
      user: askingFarmer(sample, index),
      ...(status !== 'new' && { consultant: consultantFor(question.category) }),
    })
  }
}

/** Returns the times of answer, completion and reopening, a day apart. */
function stepsAfter(answeredAt: string, status: string): SeedRecord {
  return {
    answered_at: answeredAt,
    ...(status === 'finished' && { finished_at: minutesAfter(answeredAt, minutesOfDay) }),
    ...(status === 'reopened' && { reopened_at: minutesAfter(answeredAt, 2 * minutesOfDay) }),
  }
}

function askingFarmer({ language, district }: Consultation, index: number): string {
  const speakers = samples.chats.filter((chat) => chat.language === language)
  const askingChat = speakers.find((chat) => chat.district === district) ?? speakers[index % speakers.length]
  if (!askingChat) throw new Error(`No farmer of the samples speaks "${language}"`)
  return usernameOf(askingChat.farmer)
}

/** Returns the consultant of a category of questions. */
export function consultantFor(category: string): string {
  return consultantOf(speciality[category] ?? '')
}

/** Returns the consultant of a field of knowledge. */
export function consultantOf(field: string): string {
  const matchingChat = samples.chats.find(({ consultantCategory }) => consultantCategory === field)
  if (!matchingChat) throw new Error(`No consultant of the samples knows about "${field}"`)
  return usernameOf(matchingChat.consultant)
}

/** Seeds chat rooms with their messages and read marks. */
export async function seedChats(seeder: Seeder): Promise<void> {
  const { calendar } = seeder
  const moveDate = calendar.mover(samples.chats.map(({ startedAt }) => startedAt))
  for (const chat of samples.chats) {
    const waits = chat.unread_message > 0
    const durationDays = (chat.messages.at(-1)?.minutesFromStart ?? 0) / minutesOfDay
    // The last sample message of a waiting farmer is from the day before.
    const startedAt = waits
      ? calendar.onDayBefore(1 + Math.floor(durationDays), chat.startedAt)
      : moveDate(chat.startedAt)
    await seedRoom(seeder, {
      key: `sample-${chat.room}`,
      language: chat.language,
      district: chat.district,
      category: topic[chat.consultantCategory],
      farmer: usernameOf(chat.farmer),
      consultant: usernameOf(chat.consultant),
      startedAt,
      messages: chat.messages,
      unreadCount: chat.unread_message,
    })
  }
}

/** A conversation of a farmer and a consultant to be written. */
export interface Conversation {
  /** First part of the client id of each message in the sample conversation. */
  key: string
  language: string
  district: string
  category: string | undefined
  /** User name of the farmer in the sample conversation. */
  farmer: string
  consultant: string
  startedAt: string
  messages: readonly { from: string; minutesFromStart: number; text: string }[]
  /** Number of the farmer's last messages that the consultant has not read in the sample conversation. */
  unreadCount: number
  /** Rating by the farmer, if the conversation is closed and rated. */
  closingRating?: { score?: number }
}

/**
 * Writes a sample chat room with its messages, read marks and reply times.
 *
 * @param seeder - The transaction.
 * @param conversation - The conversation.
 */
export async function seedRoom(seeder: Seeder, conversation: Conversation): Promise<void> {
  const {
    key,
    farmer,
    consultant,
    startedAt,
    district,
    unreadCount,
    messages,
    closingRating: closing,
    ...fields
  } = conversation
  const id = await seeder.insert('chatrooms', {
    ...fields,
    sender: farmer,
    receiver: consultant,
    assignee: consultant,
    region: district.slice(0, 4),
    createdAt: startedAt,
  })
  const readCount = messages.length - unreadCount
  const writtenMessages: { id: number; text: string; kind: 'message'; createdAt: string }[] = []
  for (const [index, { from, minutesFromStart, ...message }] of messages.entries()) {
    const createdAt = minutesAfter(startedAt, minutesFromStart)
    const messageId = await seeder.insert('chatmessages', {
      ...message,
      room: id,
      sender: from === 'farmer' ? farmer : consultant,
      seq: index + 1,
      client_id: `${key}-${index + 1}`,
      // Members of a sample chat room have read everything except the messages that wait for the consultant.
      seen: index < readCount,
      createdAt,
    })
    writtenMessages.push({ id: messageId, text: message.text, kind: 'message', createdAt })
  }
  const lastMessage = writtenMessages.at(-1)
  const waitingSince = writtenMessages[readCount]?.createdAt
  await seeder.update('chatrooms', id, {
    revision: messages.length,
    last_message: lastMessage,
    episode: 1,
    ...(waitingSince !== undefined && waitTimesFrom(seeder.trx.calendar, Date.parse(waitingSince), targetOf(false))),
    ...(closing && { state: 'closed' }),
  })
  await seedWaits(seeder, id)
  // A sample conversation is closed soon after its last message.
  if (closing && lastMessage) await seedStep(seeder.trx, id, 'close', minutesAfter(lastMessage.createdAt, 15))
  await writeTraces(seeder, id, readCount)
  if (closing?.score !== undefined && lastMessage) {
    await seeder.trx.query(sql`
      insert into room_ratings (room_id, episode, score, consultant_id, created_at)
      select id, 1, ${closing.score}::int, assignee_id, ${minutesAfter(lastMessage.createdAt, 20)}::timestamptz from chatrooms where id = ${id}`)
  }
}

/** Writes the chat's data besides its records: changes, read marks, and the time of the last change. */
async function writeTraces({ trx }: Seeder, room: number, lastReadSeq: number): Promise<void> {
  await trx.query(sql`
    insert into room_changes (room_id, rev, type, audience, message_id, user_id, created_at)
    select room_id, seq, 'created', 'public', id, sender_id, created_at from chatmessages where room_id = ${room}`)
  await trx.query(sql`
    insert into chat_reads (room_id, user_id, last_read_seq, delivered_seq, updated_at)
    select c.id, u.user_id, u.seq, u.seq, m.created_at
      from chatrooms c
      cross join lateral (values (c.sender_id, c.revision), (c.receiver_id, ${lastReadSeq}::int)) as u(user_id, seq)
      join chatmessages m on m.room_id = c.id and m.seq = u.seq
     where c.id = ${room}`)
  await trx.query(sql`
    update chatrooms set updated_at = (select max(created_at) from chatmessages where room_id = ${room}) where id = ${room}`)
}
