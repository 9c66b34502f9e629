{{/* Name of the objects: `errata` for a release with this name, `shop-errata` for `shop`. At most 52 characters: the
StatefulSet's pods get a label with its name and a hash. */}}
{{- define "errata.name" -}}
{{- contains "errata" .Release.Name | ternary .Release.Name (printf "%s-errata" .Release.Name) | trunc 52 | trimSuffix "-" -}}
{{- end -}}

{{/* Labels of pods: a release selects its own ones only. */}}
{{- define "errata.selector" -}}
{ app.kubernetes.io/name: {{ include "errata.name" . }} }
{{- end -}}

{{- define "errata.labels" -}}
{ app.kubernetes.io/name: {{ include "errata.name" . }}, app.kubernetes.io/part-of: errata }
{{- end -}}

{{/* A changed setting changes the name, which rolls the pods. The hash is that of kustomize, which leaves the name out. */}}
{{- define "errata.configMap" -}}
{{- $hash := dict "kind" "ConfigMap" "name" "" "data" .Values.settings | toJson | sha256sum | trunc 10 -}}
{{- $hash = $hash | replace "0" "g" | replace "1" "h" | replace "3" "k" | replace "a" "m" | replace "e" "t" -}}
{{- include "errata.name" . }}-{{ $hash -}}
{{- end -}}
