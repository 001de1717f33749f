/** Response with an empty list of consultations. */
export const noConsultations = {
  data: [],
  meta: {
    pagination: { page: 1, pageSize: 15, pageCount: 0, total: 0 },
    counts: { all: 0, finished: 0, unfinished: 0, replayed: 0, unreplayed: 0, mine: 0, free: 0, overdue: 0 },
  },
}
