/** The components of pages without a resource, by their paths in `pages.ts`. */
import type { ComponentType } from 'react'
import type { PageNoteProps } from '../resource/screen-parts.ts'

export const ownPages: Readonly<Record<string, () => Promise<ComponentType>>> = {
  home: async () => (await import('./home-screen.tsx')).HomeScreen,
  media: async () => (await import('../features/library/media-screen.tsx')).MediaScreen,
  import: async () => (await import('../features/imports/pages.tsx')).ImportStartScreen,
  'import/$id': async () => (await import('../features/imports/pages.tsx')).ImportScreen,
  permissions: async () => (await import('../features/permissions/permissions-screen.tsx')).PermissionsScreen,
  profile: async () => (await import('../account/profile/profile-page.tsx')).ProfilePage,
  'profile/notifications': async () => (await import('../account/notices/notices-page.tsx')).NoticesPage,
  'profile/security': async () => (await import('../account/security/security-page.tsx')).SecurityPage,
  system: async () => (await import('../features/system/system-screen.tsx')).SystemScreen,
  'system/organisation': async () =>
    (await import('../features/organisation/organisation-screen.tsx')).OrganisationScreen,
  trash: async () => (await import('../features/trash/trash-screen.tsx')).TrashScreen,
  translations: async () => (await import('../features/translations/pages.tsx')).DeskScreen,
  'translations/$resource/$locale': async () => (await import('../features/translations/pages.tsx')).WorkScreen,
}

/** Parts of pages in the section menu, by path: a count in the menu item, and a figure at the foot. */
export const pageNotes: Readonly<
  Record<string, Readonly<Record<'count' | 'foot', () => Promise<ComponentType<PageNoteProps>>>>>
> = {
  system: {
    count: async () => (await import('../features/system/menu-notes.tsx')).WarningCount,
    foot: async () => (await import('../features/system/menu-notes.tsx')).ProvedNote,
  },
}
