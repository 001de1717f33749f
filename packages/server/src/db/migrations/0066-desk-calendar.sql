-- rolling-update: yes
-- 0066-desk-calendar: the hours and targets by which the times of waiting cases are stored.

-- One row. Cases that began to wait while other instances still had the former hours are found by a second pass, after
-- which the calendar is settled.
create table desk_calendar (
  one boolean primary key default true check (one),
  calendar text not null,
  settled boolean not null
);
