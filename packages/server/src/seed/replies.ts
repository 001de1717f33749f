/** Reply templates of every desk, shared with all consultants, and the reply times of the samples. */
import { sql } from '../db/sql.ts'
import type { Transaction } from '../db/database.ts'
import { presetReplyMinutes } from '../db/calendar.ts'
import { replyTimes, waitTimesFrom } from '../domain/conversations/waits.ts'
import type { Seeder } from './seeder.ts'

const templates = [
  {
    title: { en: 'Greeting', ru: 'Приветствие', uz: 'Salomlashish', kaa: 'Sálemlesiw' },
    text: {
      en: 'Hello, {{customer_name}}! I am {{consultant_name}}. I have read your question and will answer it now.',
      ru: 'Здравствуйте, {{customer_name}}! Меня зовут {{consultant_name}}. Я прочитал ваш вопрос и сейчас отвечу.',
      uz: 'Assalomu alaykum, {{customer_name}}! Men {{consultant_name}}. Savolingizni oʻqidim, hozir javob beraman.',
      kaa: 'Assalawma áleykum, {{customer_name}}! Men {{consultant_name}}. Sorawıńızdı oqıdım, házir juwap beremen.',
    },
  },
  {
    title: { en: 'A photo, please', ru: 'Нужно фото', uz: 'Surat kerak', kaa: 'Súwret kerek' },
    text: {
      en: 'Please send a close photo of {{what}} by daylight, and one of the whole plant. Then I can see what it is.',
      ru: 'Пришлите, пожалуйста, фото: {{what}} вблизи при дневном свете и всё растение целиком. Так я смогу понять, что это.',
      uz: 'Iltimos, kunduzgi yorugʻlikda {{what}} suratini yaqindan va butun oʻsimlik suratini yuboring. Shunda nima ekanini aniqlayman.',
      kaa: 'Iltimas, kúndizgi jaqtıda {{what}} súwretin jaqınnan hám pútin ósimlik súwretin jiberiń. Sonda ne ekenin anıqlayman.',
    },
  },
  {
    title: { en: 'I will find out', ru: 'Уточню и отвечу', uz: 'Aniqlab javob beraman', kaa: 'Anıqlap juwap beremen' },
    text: {
      en: 'I will ask a colleague and answer you by {{time}}.',
      ru: 'Я уточню у коллеги и отвечу вам до {{time}}.',
      uz: 'Hamkasbimdan soʻrab, {{time}} vaqtigacha javob beraman.',
      kaa: 'Kásiplesimnen sorap, {{time}} waqtına shekem juwap beremen.',
    },
  },
  {
    title: { en: 'Prices', ru: 'Цены', uz: 'Narxlar', kaa: 'Bahalar' },
    text: {
      en: 'Prices in {{region}} for {{date}} are in the app, under Prices. Choose the market and the product there.',
      ru: 'Цены по региону {{region}} на {{date}} есть в приложении, в разделе «Цены». Выберите там рынок и продукт.',
      uz: '{{region}} boʻyicha {{date}} sanasidagi narxlar ilovaning “Narxlar” boʻlimida. U yerda bozor va mahsulotni tanlang.',
      kaa: '{{region}} boyınsha {{date}} sánesindegi bahalar qosımshanıń «Bahalar» bóliminde. Ol jerde bazar hám ónimdi tańlań.',
    },
  },
  {
    title: { en: 'Farewell', ru: 'Прощание', uz: 'Xayrlashuv', kaa: 'Xoshlasıw' },
    text: {
      en: 'I am glad that I could help. Write again whenever you have a question. A good harvest to you!',
      ru: 'Рад был помочь. Пишите, если появятся вопросы. Хорошего урожая!',
      uz: 'Yordam bera olganimdan xursandman. Savolingiz boʻlsa, yana yozing. Hosilingiz mol boʻlsin!',
      kaa: 'Járdem bere alǵanıma quwanıshlıman. Sorawıńız bolsa, jáne jazıń. Zúráátińiz mol bolsın!',
    },
  },
]

/** Seeds the reply templates, which have no author. */
export async function seedReplies(seeder: Seeder): Promise<void> {
  await seeder.addAll(
    'replytemplates',
    templates.map((template) => ({ ...template, scope: 'shared' })),
  )
}

/** Target minutes of a wait in the samples: the first of a conversation, and the next ones (chat §6). */
export const targetOf = (isFirst: boolean): number => (isFirst ? presetReplyMinutes.first : presetReplyMinutes.next)

/** Stores the reply times and the opening of a sample conversation. */
export async function seedWaits({ trx }: Seeder, room: number): Promise<void> {
  const messages = await trx.query(sql<{ at: string; user: number; isAsker: boolean }>`
    select m.created_at as at, m.sender_id as "user", m.sender_id = r.sender_id as "isAsker"
      from chatmessages m join chatrooms r on r.id = m.room_id where r.id = ${room} order by m.seq`)
  const openingMessage = messages.find(({ isAsker }) => isAsker)
  if (openingMessage) await seedStep(trx, room, 'open', openingMessage.at)
  let [askedAt, isFirst]: [string | undefined, boolean] = [undefined, true]
  for (const { at, user, isAsker } of messages) {
    if (isAsker) askedAt ??= at
    else if (askedAt !== undefined) {
      const wait = waitTimesFrom(trx.calendar, Date.parse(askedAt), targetOf(isFirst))
      const reply = replyTimes(trx.calendar, wait, Date.parse(at))
      await trx.query(sql`
        insert into room_replies (room_id, episode, consultant_id, asked_at, due_at, replied_at, wall_seconds, working_seconds,
            target_minutes, first, breached, region_id, category_id, language)
        select r.id, 1, ${user}, ${reply.asked_at}::timestamptz, ${reply.due_at}::timestamptz, ${reply.replied_at}::timestamptz,
               ${reply.wall_seconds}, ${reply.working_seconds}, ${reply.target_minutes}, ${isFirst}, ${reply.breached},
               r.region_id, r.category_id, r.language from chatrooms r where r.id = ${room}`)
      ;[askedAt, isFirst] = [undefined, false]
    }
  }
}

/** Stores the opening or the closing of a sample conversation. */
export async function seedStep(
  trx: Transaction,
  room: number,
  action: 'open' | 'close',
  createdAt: string,
): Promise<void> {
  await trx.query(sql`
    insert into room_steps (room_id, episode, action, owner_id, region_id, category_id, language, created_at)
    select id, 1, ${action}, coalesce(assignee_id, receiver_id), region_id, category_id, language, ${createdAt}::timestamptz
      from chatrooms where id = ${room}`)
}
