/** What features show in the question before a deletion, by resource. */
import type { DeletionSlot } from '../resource/record/deletion.ts'
import { lazyFeature } from '../ui/lazy-part.ts'

const loadDeletion = () => import('../features/learning/deletion.tsx')

export const ownDeletions: Readonly<Record<string, DeletionSlot>> = {
  courses: {
    Effects: lazyFeature(async () => (await loadDeletion()).CourseDeletion),
    coveredResources: ['lessons', 'lessongroups'],
  },
  lessongroups: {
    Effects: lazyFeature(async () => (await loadDeletion()).GroupDeletion),
    coveredResources: ['lessons'],
  },
  lessons: { Effects: lazyFeature(async () => (await loadDeletion()).LessonDeletion), coveredResources: [] },
}
