-- The operator who set a flag; null when it was set on the command line.
alter table feature_flags add column changed_by text check (length(changed_by) between 1 and 120);

-- The console lists the messages of the card network by their outcome. Most are applied: the index by arrival serves those.
create index feed_messages_by_outcome on feed_messages (partner_id, outcome, received_at) where outcome <> 'applied';

-- When a table was last reserved.
create index reservations_by_creation on reservations (partner_id, created_at desc);
