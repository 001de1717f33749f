/** Custom parts of screens, by the path of their declaration; other screens have the shared list and form. */
import type { Screen } from '@dala/model'
import type { ComponentType, ReactNode } from 'react'
import type { FormSlots, ListSlots, MenuNoteProps, OverviewSlots } from '../resource/screen-parts.ts'

export type OwnPage = ComponentType<{ screen: Screen; index?: string }>

export interface OwnScreen {
  /** Whether the list of the screen needs messages that other lists do not. */
  hasFeatureMessages?: true
  list?: () => Promise<ListSlots>
  form?: () => Promise<FormSlots>
  overview?: () => Promise<OverviewSlots>
  /** Note below the item of the screen in the section menu. */
  note?: () => Promise<ComponentType<MenuNoteProps>>
  /** Several items in the section menu in place of the screen's one item, each for a part of the screen. */
  entries?: () => Promise<ComponentType<MenuNoteProps>>
  /** Component with the count of open work at the foot of the section menu. */
  waitingCount?: () => Promise<ComponentType<MenuNoteProps>>
  /** Wrapper around the page of a record, mounted while the address changes from one record to another. */
  recordWrapper?: () => Promise<ComponentType<{ screen: Screen; index: string; children: ReactNode }>>
  /**
   * Page in place of both the list and the record pages. It stays mounted while `index` changes, the id of a
   * record or undefined.
   */
  page?: () => Promise<OwnPage>
  /** Pages of the screen's further addresses, as in the declaration. */
  more?: Readonly<Record<string, () => Promise<ComponentType<{ screen: Screen; index?: string }>>>>
}

export const ownScreens: Readonly<Record<string, OwnScreen>> = {
  consultants: {
    list: async () => (await import('../features/people/lists.ts')).consultantsList,
    form: async () => (await import('../features/people/account-form.tsx')).accountForm,
    overview: async () => (await import('../features/people/overviews.tsx')).consultantOverview,
  },
  'people/users': {
    list: async () => (await import('../features/people/accounts-list.ts')).accountsList,
    form: async () => (await import('../features/people/account-form.tsx')).accountForm,
    overview: async () => (await import('../features/people/overviews.tsx')).userOverview,
  },
  'people/staff': {
    list: async () => (await import('../features/people/accounts-list.ts')).accountsList,
    form: async () => (await import('../features/people/account-form.tsx')).accountForm,
    overview: async () => (await import('../features/people/overviews.tsx')).staffOverview,
  },
  audit: {
    hasFeatureMessages: true,
    list: async () => (await import('../features/audit/audit-list.tsx')).auditList,
    overview: async () => (await import('../features/audit/audit-overview.tsx')).auditOverview,
  },
  companies: {
    list: async () => ({ Card: (await import('../features/companies/company-card.tsx')).CompanyCard }),
    overview: async () => (await import('../features/companies/company-overview.tsx')).companyOverview,
  },
  'price-list': {
    hasFeatureMessages: true,
    list: async () => (await import('../features/prices/days-list.tsx')).daysList,
    form: async () => (await import('../features/prices/days-list.tsx')).dayForm,
    overview: async () => (await import('../features/prices/day-page.tsx')).dayOverview,
    note: async () => (await import('../features/prices/menu-note.tsx')).PricesMenuNote,
    more: {
      'price-list/chart': async () => (await import('../features/prices/outlook/chart-page.tsx')).PriceChartPage,
      'price-list/changes': async () => (await import('../features/prices/outlook/changes-page.tsx')).PriceChangesPage,
      'price-list/map': async () => (await import('../features/prices/outlook/map-page.tsx')).PriceMapPage,
      'price-list/bulletin': async () =>
        (await import('../features/prices/outlook/bulletin-page.tsx')).PriceBulletinPage,
    },
  },
  'trading-post': {
    hasFeatureMessages: true,
    list: async () => (await import('../features/trade/posts-list.tsx')).postsList,
    form: async () => (await import('../features/trade/posts-list.tsx')).postForm,
    overview: async () => (await import('../features/trade/post-page.tsx')).postOverview,
    recordWrapper: async () => (await import('../features/trade/review/review-page.tsx')).ReviewPage,
  },
  'e-learning': {
    hasFeatureMessages: true,
    list: async () => (await import('../features/learning/courses-list.tsx')).coursesList,
    overview: async () => (await import('../features/learning/course-overview.tsx')).courseOverview,
    more: {
      'e-learning/progress/$index': async () =>
        (await import('../features/learning/progress/progress-page.tsx')).CourseProgressPage,
    },
  },
  'e-learning/lessons': {
    hasFeatureMessages: true,
    overview: async () => (await import('../features/learning/lesson/lesson-overview.tsx')).lessonOverview,
    form: async () => (await import('../features/learning/lesson/lesson-form.tsx')).lessonForm,
    more: {
      'e-learning/lessons/$index': async () => (await import('../features/learning/course-lessons.tsx')).CourseLessons,
    },
  },
  attachments: {
    hasFeatureMessages: true,
    form: async () => (await import('../features/learning/attachment-form.tsx')).attachmentForm,
  },
  'e-learning/lesson-groups-create': {
    form: async () => (await import('../features/learning/group-form.tsx')).groupForm,
  },
  statistics: {
    page: async () => (await import('../features/statistics/statistics-page.tsx')).StatisticsPage,
    entries: async () => (await import('../features/statistics/report-links.tsx')).ReportEntries,
  },
  consultation: {
    hasFeatureMessages: true,
    list: async () => (await import('../features/consultations/consultations-list.tsx')).consultationsList,
    overview: async () => (await import('../features/consultations/consultation-overview.tsx')).consultationOverview,
    waitingCount: async () => (await import('../features/consultations/waiting-note.tsx')).WaitingNote,
  },
  'settings/routing-rules': {
    hasFeatureMessages: true,
    list: async () => (await import('../features/routing/rules-list.tsx')).rulesList,
    form: async () => (await import('../features/routing/rules-list.tsx')).ruleForm,
  },
  chats: { page: async () => (await import('../features/chat/chats-page.tsx')).ChatsPage },
}
