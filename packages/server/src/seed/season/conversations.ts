/** Seeds the conversations of fourteen months: most closed and rated, the newest open, one or two waiting. */
import { consultantOf, type Conversation, seedRoom } from '../advice.ts'
import { drawOf } from '../draws.ts'
import type { Seeder } from '../seeder.ts'
import texts from './data/talks.json' with { type: 'json' }
import { type Farmer, seasonFarmers, seasonLength } from './people.ts'

type ConversationText = (typeof texts)[number]

/** Number of chat rooms of the season. */
export const roomCount = 54

/** Minimum age in days of a closed conversation. */
const daysSinceEnd = 3

interface Room {
  conversationText: ConversationText
  farmer: Farmer
  days: number
}

/** Returns the pairs of farmers and consultants, the newest first: each pair has one room. */
function seasonRooms(): Room[] {
  const farmers = seasonFarmers()
  const rooms: Room[] = []
  const pairs = new Set<string>()
  for (let index = 0; rooms.length < roomCount; index += 1) {
    const conversationText = texts[index % texts.length]
    if (!conversationText) throw new Error('There are no conversations')
    const days = 1 + Math.round((seasonLength - 20) * (rooms.length / roomCount) ** 1.4)
    const freeFarmers = farmers.filter(
      ({ username, language, sinceDays }) =>
        (language === conversationText.language || index >= texts.length * 6) &&
        (sinceDays > days || index >= texts.length * 3) &&
        !pairs.has(`${username} ${conversationText.consultantCategory}`),
    )
    const farmer = freeFarmers[Math.floor(drawOf('talks', index) * freeFarmers.length)]
    if (!farmer) continue
    pairs.add(`${farmer.username} ${conversationText.consultantCategory}`)
    rooms.push({ conversationText, farmer, days })
  }
  return rooms
}

/** Seeds one chat room of the season with its messages. */
export async function seedConversation(seeder: Seeder, roomIndex: number): Promise<void> {
  const room = seasonRooms()[roomIndex]
  if (!room) return
  const { conversationText, farmer, days } = room
  let minutes = 0
  const messages = conversationText.messages.map(({ from, minutes: minutesLater, text }) => ({
    from,
    text,
    minutesFromStart: (minutes += minutesLater),
  }))
  const hour = String(8 + Math.floor(drawOf('hour', roomIndex) * 5)).padStart(2, '0')
  const lastOfFarmer = messages.length - 1 - messages.findLastIndex(({ from }) => from === 'consultant')
  const conversation: Conversation = {
    key: `season-${roomIndex + 1}`,
    language: conversationText.language,
    district: farmer.district,
    category: conversationText.topic,
    farmer: farmer.username,
    consultant: consultantOf(conversationText.consultantCategory),
    startedAt: seeder.calendar.before(days, `${hour}:10`),
    messages,
    // Messages older than a day were read; a thank-you needs no reply.
    unreadCount: days <= 1 ? lastOfFarmer : 0,
    ...(days > daysSinceEnd && {
      closingRating:
        drawOf('scored', roomIndex) < 0.7 ? { score: 5 - Math.floor(drawOf('score', roomIndex) ** 3 * 4) } : {},
    }),
  }
  await seedRoom(seeder, conversation)
}
