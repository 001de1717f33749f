/**
 * Texts of simulated people: the conversations and questions of the samples, and a few phrases in each
 * language.
 */
import type { Locale } from '@dala/model'
import samples from '../../packages/server/src/seed/data/samples.json' with { type: 'json' }

interface PersonVoice {
  /** Messages of the samples' farmers, conversation by conversation. */
  questionTexts: readonly string[]
  answers: readonly string[]
  thanks: readonly string[]
  /** Text that a simulated person adds to a message when editing it later. */
  more: string
  /** Texts of internal notes that simulated consultants leave. */
  notes: readonly string[]
  handOver: string
  closingText: string
}

const phrases = {
  en: {
    thanks: ['Thank you, that helps.', 'Clear now, thanks!', 'I will try it and write again.'],
    more: '(corrected)',
    notes: ['Asked the laboratory, wait for the result.', 'The third question about this from the district.'],
    handOver: 'My shift ends, the last question is open.',
    closingText: 'Answered, nothing open.',
  },
  ru: {
    thanks: ['Спасибо, очень помогли.', 'Понял, спасибо!', 'Попробую и напишу ещё.'],
    more: '(исправлено)',
    notes: ['Спросил в лаборатории, ждём ответа.', 'Третий такой вопрос из этого района.'],
    handOver: 'Моя смена кончается, последний вопрос открыт.',
    closingText: 'Ответ дан, открытых вопросов нет.',
  },
  uz: {
    thanks: ['Rahmat, katta yordam berdingiz.', 'Tushundim, rahmat!', 'Sinab koʻraman va yana yozaman.'],
    more: '(tuzatildi)',
    notes: ['Laboratoriyadan soʻradim, javobni kutyapmiz.', 'Bu tumandan uchinchi shunday savol.'],
    handOver: 'Navbatim tugayapti, oxirgi savol ochiq.',
    closingText: 'Javob berildi, ochiq savol yoʻq.',
  },
  kaa: {
    thanks: ['Raxmet, úlken járdem berdińiz.', 'Túsindim, raxmet!', 'Sınap kóremen hám jáne jazaman.'],
    more: '(dúzetildi)',
    notes: ['Laboratoriyadan soradım, juwaptı kútip atırmız.', 'Bul rayonnan úshinshi usınday soraw.'],
    handOver: 'Náwbetim tawsılıp atır, aqırǵı soraw ashıq.',
    closingText: 'Juwap berildi, ashıq soraw joq.',
  },
} as const satisfies Record<Locale, object>

const textsOf = (language: Locale, author: 'farmer' | 'consultant'): string[] =>
  samples.chats
    .filter((chat) => chat.language === language)
    .flatMap(({ messages }) => messages.filter(({ from }) => from === author).map(({ text }) => text))

const consultationsIn = (language: Locale) =>
  samples.consultations.filter((consultation) => consultation.language === language)

/** Returns the phrases of simulated people in a language. */
export function voiceOf(language: Locale): PersonVoice {
  return {
    ...phrases[language],
    questionTexts: [...textsOf(language, 'farmer'), ...consultationsIn(language).map(({ question }) => question)],
    answers: [...textsOf(language, 'consultant'), ...consultationsIn(language).flatMap(({ answer }) => answer ?? [])],
  }
}

/** First names of the people of the samples, for accounts. */
export const farmerNames = samples.chats.map(({ farmer }) => farmer.split(' ')[0] ?? farmer)
export const consultantNames = samples.chats.map(({ consultant }) => consultant.split(' ')[0] ?? consultant)
/** Demo accounts with a chat, and the language of each in that chat. */
export const samplePeople = samples.chats.map(({ farmer, consultant, language }) => ({ farmer, consultant, language }))
