-- Lists of reservations in the console, and what operators mark.
alter table reservations add column no_show_at timestamptz;
create index reservations_by_time on reservations (partner_id, starts_at, id);
create index reservations_by_merchant on reservations (partner_id, merchant_id, starts_at, id);

-- What we asked of booking providers, and what they answered. Without names and addresses of guests.
create table reservation_messages (
  id bigint generated always as identity primary key,
  partner_id text not null references partners,
  reservation_id bigint not null references reservations,
  request text not null check (request in ('book', 'cancel')),
  -- `done`, the provider's code, or `unknown` where it gave no answer.
  outcome text not null check (length(outcome) between 1 and 60),
  confirmation text,
  sent_at timestamptz not null default now()
);
create index reservation_messages_by_reservation on reservation_messages (reservation_id, id);
call enable_tenant_isolation('reservation_messages');
grant select, insert on reservation_messages to dineback_app;
