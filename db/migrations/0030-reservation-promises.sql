-- When the date of a reservation was agreed on: a dine before that moment does not earn its bonus. It is set when the
-- table is booked, and again when the reservation moves to another date.
alter table reservations add column promised_at timestamptz;
-- Row-level security is forced for the owner, too, unless that is a superuser.
alter table reservations no force row level security;
update reservations set promised_at = created_at;
alter table reservations force row level security;
alter table reservations alter column promised_at set not null;
