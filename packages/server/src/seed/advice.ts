/** Sample consultations in every status, and the conversations of farmers with consultants. */
import { sql } from '../db/sql.ts'
import { usernameOf } from './accounts.ts'
import samples from './data/samples.json' with { type: 'json' }
import { minutesAfter, minutesOfDay } from './moments.ts'
import type { SeedRecord } from './records.ts'
import { seedWaits, waitFrom } from './replies.ts'
import type { Seeder } from './seeder.ts'

type Chat = (typeof samples.chats)[number]
type Consultation = (typeof samples.consultations)[number]

/** Who of the six consultants answers what, by what they know about. */
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
}

/** What a conversation with a consultant is about. */
const topic: Readonly<Record<string, string>> = {
  agronomy: 'crop-cultivation',
  'plant-protection': 'pests-diseases',
  irrigation: 'water',
  veterinary: 'animal-health',
  livestock: 'animal-feeding',
  finance: 'credit-subsidy',
}

/** Questions, each asked by a farmer of its language; the status follows from what the record has. */
export async function seedConsultations(seeder: Seeder): Promise<void> {
  for (const [index, sample] of samples.consultations.entries()) {
    const { status, answeredAfterMinutes, ...question } = sample
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

/** When a question was answered and finished, or opened again: a day after the other each. */
function stepsAfter(answeredAt: string, status: string): SeedRecord {
  return {
    answered_at: answeredAt,
    ...(status === 'finished' && { finished_at: minutesAfter(answeredAt, minutesOfDay) }),
    ...(status === 'reopened' && { reopened_at: minutesAfter(answeredAt, 2 * minutesOfDay) }),
  }
}

function askingFarmer({ language, district }: Consultation, index: number): string {
  const speakers = samples.chats.filter((chat) => chat.language === language)
  const asking = speakers.find((chat) => chat.district === district) ?? speakers[index % speakers.length]
  if (!asking) throw new Error(`No farmer of the samples speaks "${language}"`)
  return usernameOf(asking.farmer)
}

function consultantFor(category: string): string {
  const knowing = samples.chats.find(({ consultantCategory }) => consultantCategory === speciality[category])
  if (!knowing) throw new Error(`No consultant of the samples knows about "${category}"`)
  return usernameOf(knowing.consultant)
}

/** Rooms with their messages, read as far as the samples say. */
export async function seedChats(seeder: Seeder): Promise<void> {
  for (const chat of samples.chats) await seedChat(seeder, chat)
}

async function seedChat(seeder: Seeder, chat: Chat): Promise<void> {
  const { farmer, consultant, consultantCategory, startedAt, district, unread_message, messages, room, ...fields } =
    chat
  const sides = { farmer: usernameOf(farmer), consultant: usernameOf(consultant) }
  const id = await seeder.insert('chatrooms', {
    ...fields,
    sender: sides.farmer,
    receiver: sides.consultant,
    assignee: sides.consultant,
    category: topic[consultantCategory],
    region: district.slice(0, 4),
    createdAt: startedAt,
  })
  const read = messages.length - unread_message
  const written: { id: number; text: string; kind: 'message'; createdAt: string }[] = []
  for (const [index, { from, minutesFromStart, ...message }] of messages.entries()) {
    const createdAt = minutesAfter(startedAt, minutesFromStart)
    const made = await seeder.insert('chatmessages', {
      ...message,
      room: id,
      sender: from === 'farmer' ? sides.farmer : sides.consultant,
      seq: index + 1,
      client_id: `sample-${room}-${index + 1}`,
      // The other side has seen all but what waits for the consultant.
      seen: index < read,
      createdAt,
    })
    written.push({ id: made, text: message.text, kind: 'message', createdAt })
  }
  const waitingSince = written[read]?.createdAt
  await seeder.update('chatrooms', id, {
    revision: messages.length,
    last_message: written.at(-1),
    episode: 1,
    ...(waitingSince !== undefined && waitFrom(waitingSince, false).columns),
  })
  await seedWaits(seeder, id)
  await writeTraces(seeder, id, read)
}

/** What the chat keeps beside its records: its changes, how far each side has read, and when it moved last. */
async function writeTraces({ trx }: Seeder, room: number, read: number): Promise<void> {
  await trx.query(sql`
    insert into room_changes (room_id, rev, type, audience, message_id, user_id, created_at)
    select room_id, seq, 'created', 'public', id, sender_id, created_at from chatmessages where room_id = ${room}`)
  await trx.query(sql`
    insert into chat_reads (room_id, user_id, last_read_seq, delivered_seq, updated_at)
    select c.id, u.user_id, u.seq, u.seq, m.created_at
      from chatrooms c
      cross join lateral (values (c.sender_id, c.revision), (c.receiver_id, ${read}::int)) as u(user_id, seq)
      join chatmessages m on m.room_id = c.id and m.seq = u.seq
     where c.id = ${room}`)
  await trx.query(sql`
    update chatrooms set updated_at = (select max(created_at) from chatmessages where room_id = ${room}) where id = ${room}`)
}
