#!/bin/sh
# A reverse proxy in C: forwards each body and the upstream's answer, looks at nothing and keeps nothing.
set -eu
upstream=${SENTRY_DSN##*@}
project=${upstream##*/}
cat >"$ERRATA_DATA_DIR/nginx.conf" <<CONF
daemon off;
master_process off;
pid $ERRATA_DATA_DIR/nginx.pid;
events { worker_connections 4096; }
http {
  access_log off;
  client_body_temp_path $ERRATA_DATA_DIR/body;
  proxy_temp_path $ERRATA_DATA_DIR/proxy;
  fastcgi_temp_path $ERRATA_DATA_DIR/fastcgi;
  uwsgi_temp_path $ERRATA_DATA_DIR/uwsgi;
  scgi_temp_path $ERRATA_DATA_DIR/scgi;
  client_max_body_size 0;
  client_body_buffer_size 64k;
  keepalive_requests 1000000000;
  upstream service {
    server ${upstream%%/*};
    keepalive 512;
    keepalive_requests 1000000000;
  }
  server {
    listen 127.0.0.1:$PORT;
    location = /tunnel {
      proxy_pass http://service/api/$project/envelope/;
      proxy_http_version 1.1;
      proxy_set_header Connection '';
    }
  }
}
CONF
exec /usr/sbin/nginx -p "$ERRATA_DATA_DIR" -c "$ERRATA_DATA_DIR/nginx.conf" -e "$ERRATA_DATA_DIR/nginx-error.log"
